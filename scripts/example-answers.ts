/** Writes the answers to the examples of the OpenAPI document, which are those of the handler. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { endpoints } from "../src/http/endpoints/endpoints.ts";
import { hasExampleAnswer, sendExample } from "../test/http/run-examples.ts";

const answers: Record<string, unknown> = {};
for (const endpoint of endpoints.filter(hasExampleAnswer)) {
  const response = await sendExample(endpoint);
  const answer = await response.json();
  if (response.status !== 200)
    throw new Error(`${endpoint.id}: ${response.status} ${JSON.stringify(answer)}`);
  answers[endpoint.id] = answer;
}
const path = "src/http/documents/answers.json";
writeFileSync(path, JSON.stringify(answers, undefined, 2));
execFileSync("node_modules/.bin/biome", ["format", "--write", path], { stdio: "ignore" });
