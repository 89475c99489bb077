/** The state of the tab of applications. */
import { createAppChecker } from "../../apps/app-check.ts";
import { exampleApp } from "../../apps/example-app.ts";
import { tabSignal } from "../../tab-storage.ts";

/** The text of the application. */
export const application = tabSignal("playground-application", "");

/** The known facts of the account and its zones, as JSON; empty without facts. */
export const facts = tabSignal("playground-facts", "");

/** The check of both. */
export const checker = createAppChecker(() => ({ text: application.value, facts: facts.value }));

/** The domain of the example. */
const domain = "example.com";

/** An application of the domain in {@link exampleFacts}. */
export const example = exampleApp(domain);

const exampleFacts = { plan: "add-on", zone: "z1", zones: [{ id: "z1", name: domain }] };

/** Shows an application with an address that has no brackets, and its zone as a known one. */
export function showExample(): void {
  application.value = example.replace("192.0.2.1", "2001:db8::1");
  facts.value = JSON.stringify(exampleFacts, null, 2);
}
