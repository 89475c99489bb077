/**
 * Prints `N passed, M failed` of the JSON reports of test runs, and fails when anything did or nothing ran. A test that is in
 * several reports, such as those of several versions of Node.js, counts once.
 */
import { readFileSync } from "node:fs";

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numFailedTestSuites: 1, testResults: [] };
  }
}

/** How often each test has passed in a report: examples run in process and over a socket. */
function passedIn({ testResults }) {
  const counts = new Map();
  for (const { name, assertionResults } of testResults)
    for (const { fullName, status } of assertionResults)
      if (status === "passed")
        counts.set(`${name} ${fullName}`, (counts.get(`${name} ${fullName}`) ?? 0) + 1);
  return counts;
}

const reports = process.argv.slice(2).map(read);
const passed = new Map();
for (const report of reports)
  for (const [test, count] of passedIn(report)) passed.set(test, Math.max(count, passed.get(test) ?? 0));
// A file that does not even load has failed, though it has no tests.
const failed = reports.reduce(
  (sum, { numFailedTests, numFailedTestSuites }) => sum + (numFailedTests || numFailedTestSuites || 0),
  0,
);
console.log(`${[...passed.values()].reduce((sum, count) => sum + count, 0)} passed, ${failed} failed`);
process.exit(failed > 0 || reports.some(({ numPassedTests }) => numPassedTests === 0) ? 1 : 0);
