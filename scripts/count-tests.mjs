/** Prints `N passed, M failed` of a test run's JSON report, and fails when anything did or nothing ran. */
import { readFileSync } from "node:fs";

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numFailedTestSuites: 1 };
  }
}

const { numPassedTests: passed, numFailedTests, numFailedTestSuites } = read(process.argv[2]);
// A file that does not even load has failed, though it has no tests.
const failed = numFailedTests || numFailedTestSuites || 0;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
