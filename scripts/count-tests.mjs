/** Prints `N passed, M failed` of the JSON reports of test runs, and fails when anything did or nothing ran. */
import { readFileSync } from "node:fs";

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numFailedTestSuites: 1 };
  }
}

const reports = process.argv.slice(2).map(read);
const passed = reports.reduce((sum, { numPassedTests }) => sum + numPassedTests, 0);
// A file that does not even load has failed, though it has no tests.
const failed = reports.reduce(
  (sum, { numFailedTests, numFailedTestSuites }) => sum + (numFailedTests || numFailedTestSuites || 0),
  0,
);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || reports.some(({ numPassedTests }) => numPassedTests === 0) ? 1 : 0);
