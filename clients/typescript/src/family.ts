import type { Call, CallOptions } from "./call.js";

/** Operations about one subject: what they have in common is written once. */
export class Family {
  readonly #call: Call;
  readonly #name: string;

  /** @param name the first part of the names of its operations. */
  constructor(call: Call, name: string) {
    this.#call = call;
    this.#name = name;
  }

  protected reads<Result>(
    name: string,
    path: string,
    data: object | undefined,
    options?: CallOptions,
    writes = false,
  ): Promise<Result> {
    return this.#call({ name: `${this.#name}.${name}`, path: `/v2${path}`, writes }, data, options);
  }

  protected writes<Result>(
    name: string,
    path: string,
    data: object | undefined,
    options?: CallOptions,
  ): Promise<Result> {
    return this.reads(name, path, data, options, true);
  }
}
