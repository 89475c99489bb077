/** The form of a request. */

/** The request as it is typed: headers one a line. */
export interface RequestForm {
  readonly method: string;
  readonly url: string;
  readonly headers: string;
  readonly ip?: string;
  readonly body?: string;
  readonly challengePassed?: boolean;
  /** Texts by the names of fields; an empty one is not given. */
  readonly fields?: Readonly<Record<string, string>>;
}
