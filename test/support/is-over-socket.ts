/** The way in which the tests of the interface reach their handlers: set by the projects of vitest.config.ts. */
export const isOverSocket = process.env["EDGEPROOF_TRANSPORT"] === "socket";
