/** The endpoints that the Images binding of a Worker calls, without credentials: workerd can send its requests to this server. */
import { bare, bytes } from "../../schemas/envelope.ts";
import { bindingForms, bindingInfo, imageTypes } from "../../schemas/images.ts";
import { answerBinding } from "../images-binding-fetch.ts";
import { bindingErrorHeader, type Endpoint, endpoint } from "./endpoint.ts";

export const imageBindingEndpoints: readonly Endpoint[] = [
  endpoint({
    id: "images.binding.transform",
    area: "images",
    method: "POST",
    path: "/transform",
    mount: "origin",
    summary: "Transform an image for the Images binding",
    form: bindingForms.transform,
    response: bytes(...imageTypes, "rgb", "rgba"),
    plainTextErrors: bindingErrorHeader,
    handle: ({ request, services }) => answerBinding("transform", request, services.images.binding),
  }),
  endpoint({
    id: "images.binding.info",
    area: "images",
    method: "POST",
    path: "/info",
    mount: "origin",
    summary: "Describe an image for the Images binding",
    form: bindingForms.info,
    response: bare(bindingInfo),
    plainTextErrors: bindingErrorHeader,
    handle: ({ request, services }) => answerBinding("info", request, services.images.binding),
  }),
];
