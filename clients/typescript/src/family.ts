import type { Call, CallOptions } from "./call.js";

/** Operations about one subject: what they have in common is written once. */
export class Family {
  readonly #call: Call;
  readonly #name: string;
  readonly #path: string;

  /**
   * @param name the first part of the names of its operations.
   * @param path the first part of the paths of most.
   */
  constructor(call: Call, name: string, path: string) {
    this.#call = call;
    this.#name = name;
    this.#path = path;
  }

  protected reads<Result>(
    name: string,
    data: object | undefined,
    options?: CallOptions,
    path = `${this.#path}/${name.replaceAll("_", "/")}`,
    writes = false,
  ): Promise<Result> {
    return this.#call({ name: `${this.#name}.${name}`, path: `/v2${path}`, writes }, data, options);
  }

  protected writes<Result>(
    name: string,
    data: object | undefined,
    options?: CallOptions,
    path?: string,
  ): Promise<Result> {
    return this.reads(name, data, options, path, true);
  }
}
