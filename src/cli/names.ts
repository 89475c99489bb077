/** Names of commands: those that have subcommands, and those of earlier versions. */

/** The names that have subcommands, with their purpose. */
export const groups: Readonly<Record<string, string>> = {
  config: "Show the configuration file of a project.",
  world: "Make a world file from Terraform, saved responses or a zone; read keys.",
  suite: "Write requests that test custom and token rules, and measure what they notice.",
  brand: "Find names and pictures that resemble a brand.",
  images: "Render pictures as delivery does, and sign their addresses.",
  store: "Move, fill and update a store.",
  queue: "Distribute pictures to workers on any number of machines.",
  "queue dead": "Handle the messages that a worker could not process.",
};

/** Names of earlier versions, which print the new name (until 0.3). */
export const earlierNames: Readonly<Record<string, string>> = {
  lint: "check --only proxy",
  audit: "check --only openapi",
  "keys check": "check --only keys",
  world: "world from",
  pull: "world pull",
  keys: "world keys",
  generate: "suite generate",
  mutate: "suite mutate",
  match: "brand match",
  variants: "brand variants",
  logo: "brand logo",
  render: "images render",
  sign: "images sign",
  export: "store export",
  import: "store import",
  reindex: "store reindex",
  observe: "store observe",
  publish: "queue publish",
  worker: "queue work",
};
