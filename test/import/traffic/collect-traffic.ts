/** Collects what a reader of recorded requests finds. */
import type {
  RecordedRequest,
  RejectedRecord,
  TrafficSink,
} from "../../../src/import/traffic/recorded-request.ts";

export interface CollectedTraffic extends TrafficSink {
  readonly requests: RecordedRequest[];
  readonly rejections: RejectedRecord[];
  readonly skips: string[];
}

export function collectTraffic(): CollectedTraffic {
  const requests: RecordedRequest[] = [];
  const rejections: RejectedRecord[] = [];
  const skips: string[] = [];
  return {
    requests,
    rejections,
    skips,
    request: (request) => requests.push(request),
    rejected: (record) => rejections.push(record),
    skipped: (reason) => skips.push(reason),
  };
}
