const USUAL_PORT: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** `host:port`, as in the limit `targets`. */
export function targetThing({ protocol, hostname, port }: URL): string {
  return `${hostname.toLowerCase()}:${port === '' ? (USUAL_PORT[protocol] ?? '') : port}`;
}
