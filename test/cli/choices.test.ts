/** The words of options are those of the engines, which declarations do not load. */
import { expect, test } from "vitest";
import { match, variants } from "../../src/cli/declarations/brand.ts";
import { evaluate } from "../../src/cli/declarations/eval.ts";
import { render } from "../../src/cli/declarations/images.ts";
import { replay } from "../../src/cli/declarations/replay.ts";
import { generate } from "../../src/cli/declarations/suite.ts";
import { assumedStates } from "../../src/cli/input/assumed-tokens.ts";
import { actions } from "../../src/cli/input/requests/name-schemas.ts";
import { issuerOptions } from "../../src/cli/options/keys.ts";
import { edgeOptions } from "../../src/cli/options/server.ts";
import { profileOption } from "../../src/cli/options/world.ts";
import { profiles } from "../../src/core/profiles.ts";
import { matchModes } from "../../src/engine/brand/model.ts";
import { fits, metadataModes } from "../../src/engine/images/render/variant.ts";
import { algorithmsOf } from "../../src/engine/tokens/jwt/keys/algorithms.ts";
import { challengeKinds } from "../../src/engine/tokens/rulesets/actions.ts";
import { trafficFormats } from "../../src/import/traffic/format.ts";
import { settingChoices } from "../../src/service/settings.ts";
import { lookAlikeKinds } from "../../src/testing/look-alikes.ts";
import { testRunners } from "../../src/testing/suites/test-file.ts";

test.each([
  ["--kind", variants.options.kind.choices, lookAlikeKinds],
  ["--mode", match.options.mode.choices, [...matchModes, "recommended"]],
  ["--fit", render.options.fit.choices, fits],
  ["--metadata", render.options.metadata.choices, metadataModes],
  ["--as", replay.options.as.choices, assumedStates],
  ["--input", replay.options.input.choices, Object.keys(trafficFormats)],
  ["--expect", evaluate.options.expect.choices, [...actions, ...challengeKinds]],
  ["--format", generate.options.format.choices, [...testRunners, "json"]],
  ["--default-alg", issuerOptions["default-alg"].choices, algorithmsOf("RSA")],
  ["--envelopes", edgeOptions.envelopes.choices, settingChoices.envelopes],
  ["--profile", profileOption.profile.choices, Object.keys(profiles)],
])("%s", (_option, declared, known) => {
  expect(declared).toEqual(known);
});
