/** Generated from `assembly/hamming.ts` by `scripts/build-wasm-hamming.ts`; do not edit. */

/** The WebAssembly module in base64. */
export const hammingWasm =
  "AGFzbQEAAAABCwFgBn9/f35/fwF/Ag8BA2VudgZtZW1vcnkCAAADAgEABwgBBHNjYW4AAAqRAQGOAQEFfiACKQMAIQYgAikDCCEHIAIpAxAhCCACKQMYIQkgBSECIAAgAUEFdGohAQNAIAAgAUkEQCAAKQMYIAmFeyAAKQMQIAiFeyAAKQMAIAaFeyAAKQMIIAeFe3x8fCEKIAIgBDYCACACIAMgCllBAnRqIQIgBEEBaiEEIABBIGohAAwBCwsgAiAFa0ECdgs=";
