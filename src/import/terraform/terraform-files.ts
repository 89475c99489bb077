/** The four files of Terraform, by their marks. */

import type { Placed } from "../../core/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { PlacedSource } from "../../core/place.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { runCommand } from "../../core/text/run-command.ts";
import { quote } from "../../errors.ts";
import { unreadable } from "../import-rules.ts";
import { locationOf } from "../origin.ts";
import type { Reader } from "../reader.ts";
import type { Reading } from "../reading.ts";
import { jsonValue, placesOf, type SourceFile } from "../source-file.ts";
import { undecidedPart } from "../undecided.ts";
import { instancesOfPlan, plannedResources } from "./plan.ts";
import { instancesOfRawState } from "./raw-state.ts";
import { readInstances, type TerraformFile } from "./read-instances.ts";
import { isUnset, referencesOf } from "./references.ts";
import { instancesOfTree } from "./state-tree.ts";
import { hasTestRecords, readStateRecord } from "./test-records.ts";

/** How to get a file in which every expression is known, without credentials. */
const mockedApply = `${runCommand} world from --terraform-mock > edgeproof.tftest.hcl && terraform init && terraform test -json -verbose > test.ndjson, and read test.ndjson; or read the state after the apply`;

const noReferences = () => [];

/** `terraform show -json PLAN`. */
export const terraformPlan: Reader = {
  format: "Terraform plan",
  detect: (file) => {
    const value = jsonValue(file);
    return isJsonObject(value) && typeof value["format_version"] === "string" && isPlan(value);
  },
  read: (file, { withSecrets }) =>
    readDocument(file, "format_version", (plan) => {
      const instances = instancesOfPlan(plan, withSecrets);
      const { configuration } = plan;
      const reading = readInstances({
        place: placesOf(file),
        instances,
        references: referencesOf(configuration),
        isUnset: (address, attribute) => isUnset(configuration, address, attribute),
        run: mockedApply,
      });
      return {
        ...reading,
        planned: plannedResources(plan),
        undecided: [...reading.undecided, ...incompletePlan(plan, file)],
      };
    }),
};

function isPlan(value: JsonObject): boolean {
  return Array.isArray(value["resource_changes"]) || Object.hasOwn(value, "planned_values");
}

/** A plan that ended with an error, or that leaves changes for later, says nothing about the other resources. */
function incompletePlan(plan: JsonObject, file: SourceFile): Reading["undecided"] {
  const member = plan["errored"] === true ? "errored" : plan["complete"] === false ? "complete" : undefined;
  if (member === undefined) return [];
  const message =
    member === "errored"
      ? "The plan ended with an error, so that resources can be missing."
      : "The plan is not complete: it leaves changes for a later plan.";
  const at = locationOf({ file: placesOf(file), pointer: `/${member}` });
  return [undecidedPart(at, { about: "rule", message, run: mockedApply, effect: {} })];
}

/** `terraform show -json`. */
export const terraformState: Reader = {
  format: "Terraform state",
  detect: (file) => {
    const value = jsonValue(file);
    if (!isJsonObject(value) || typeof value["format_version"] !== "string" || isPlan(value)) return false;
    return Object.hasOwn(value, "values") || Object.hasOwn(value, "terraform_version");
  },
  read: (file, { withSecrets }) =>
    readDocument(file, "format_version", ({ values }) => {
      const root = isJsonObject(values) ? values["root_module"] : undefined;
      return {
        ...readState(placesOf(file), instancesOfTree(root, "/values/root_module", withSecrets)),
        isState: true,
      };
    }),
};

/** `terraform.tfstate`, `terraform state pull`. */
export const terraformRawState: Reader = {
  format: "Terraform state file",
  detect: (file) => {
    const value = jsonValue(file);
    if (!isJsonObject(value) || typeof value["version"] !== "number") return false;
    return Object.hasOwn(value, "serial") || Object.hasOwn(value, "lineage");
  },
  read: (file, { withSecrets }) =>
    readDocument(file, "version", (state) => ({
      ...readState(placesOf(file), instancesOfRawState(state, withSecrets)),
      isState: true,
    })),
};

/** `terraform test -json -verbose`. */
export const terraformTest: Reader = {
  format: "Terraform test",
  detect: hasTestRecords,
  read: (file, { withSecrets }) => {
    const found = readStateRecord(file);
    if (!found.ok) return found;
    const { state, place, pointer } = found.value;
    return success(
      readState(place, instancesOfTree(state["root_module"], `${pointer}/root_module`, withSecrets)),
    );
  },
};

/** A state has the values of an apply, without references between resources. */
function readState(place: PlacedSource, instances: TerraformFile["instances"]): Reading {
  return readInstances({ place, instances, references: noReferences, run: mockedApply });
}

/** The versions of each form that are read: `format_version` is a string, `version` a number. */
const versions = {
  format_version: {
    isKnown: (version: unknown) => /^[01]\./.test(String(version)),
    allowed: "`0.x` or `1.x`",
  },
  version: {
    isKnown: (version: unknown) => version === 4,
    allowed: "`4`; `terraform show -json` prints other versions",
  },
} as const;

function readDocument(
  file: SourceFile,
  member: keyof typeof versions,
  read: (document: JsonObject) => Reading,
): Result<Reading, Placed> {
  const value = jsonValue(file);
  const document = isJsonObject(value) ? value : {};
  const { isKnown, allowed } = versions[member];
  const version = document[member];
  if (isKnown(version)) return success(read(document));
  const message = `\`${member}\` must be ${allowed}; found ${quote(version)}.`;
  return failure(unreadable(placesOf(file).place(`/${member}`), message));
}
