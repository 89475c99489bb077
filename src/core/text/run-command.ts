/** The start of the command lines that messages show as next steps: a shell in the folder of a project runs them as they are. */
export const runCommand = "npx edgeproof";
