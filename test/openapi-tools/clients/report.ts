/** Input of a client program on standard input: addresses and keys of a running appliance. */
export interface Target {
  readonly ui: string;
  readonly user: { readonly name: string; readonly password: string };
  /** By the name of the sample. */
  readonly samples: Readonly<Record<string, { readonly gateway: string; readonly key: string }>>;
}

/** Reports a call whose reply matches its types. The script counts these lines. */
export function called(operation: string, proof: string | number | boolean): void {
  console.log(`called ${operation}: ${proof}`);
}

/** The typed body of a good reply. Throws with the error body otherwise. */
export function good<T>(operation: string, result: { data?: T; error?: unknown; response?: Response }): T {
  if (result.data === undefined)
    throw new Error(`${operation} answered ${result.response?.status}: ${JSON.stringify(result.error)}`);
  return result.data;
}

/** The status of a reply that this sample refuses on purpose. */
export function refused(operation: string, status: number, result: { error?: unknown; response?: Response }): void {
  if (result.response?.status !== status)
    throw new Error(`${operation} answered ${result.response?.status} instead of ${status}`);
  called(operation, `refused with ${status}, as this sample shows`);
}

const TRIES_MAX = 60;
const TRY_MS = 500;

/** Asks again until there is a good reply: the report of the filling line is written every ten seconds. */
export async function eventually<T extends { data?: unknown }>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const result = await ask();
    if (result.data !== undefined || tries === TRIES_MAX) return result;
    await new Promise((resolve) => setTimeout(resolve, TRY_MS));
  }
}
