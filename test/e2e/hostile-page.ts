import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright';

/** An attacker's web server: pages to attack from, or, as a control, a victim without any guard. */
export interface Stranger extends AsyncDisposable {
  readonly origin: string;
  /** Method, path and body of all received requests. */
  readonly seen: readonly string[];
}

export async function startStranger(host: string): Promise<Stranger> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      seen.push(`${request.method} ${request.url} ${body}`.trim());
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>page</title><p>readable</p>');
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { origin: `http://${host}:${port}`, seen, [Symbol.asyncDispose]: () => close(server) };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += String(part);
  return body;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

/** The text that a page can read in each way; '' if it cannot. Each is tried with the browser's cookies. */
export function readFromPage(page: Page, target: string): Promise<Record<string, string>> {
  return page.evaluate(async (origin) => {
    const api = `${origin}/api/v1`;
    const soon = <T>(promise: Promise<T>) =>
      Promise.race([promise, new Promise<null>((resolve) => setTimeout(resolve, 3000, null))]);
    const quiet = async (read: () => Promise<string>) => (await soon(read().catch(() => ''))) ?? '';
    const element = (make: () => HTMLElement, read: (made: HTMLElement) => string) =>
      quiet(
        () =>
          new Promise((resolve) => {
            const made = make();
            made.addEventListener('load', () => resolve(read(made)));
            made.addEventListener('error', () => resolve(''));
            document.body.append(made);
          }),
      );
    const text = (init: RequestInit, path = '/projects') =>
      quiet(async () => (await fetch(api + path, { credentials: 'include', ...init })).text());
    const frame = (path: string) =>
      element(
        () => Object.assign(document.createElement('iframe'), { src: origin + path }),
        (made) => (made as HTMLIFrameElement).contentDocument?.body.textContent ?? '',
      );
    return {
      'fetch with CORS': await text({ mode: 'cors' }),
      'fetch without CORS': await text({ mode: 'no-cors' }),
      'fetch without cookies': await text({ credentials: 'omit' }, '/openapi.json'),
      'fetch with a header': await text({ headers: { 'X-CSRF-Token': 'x' } }),
      'fetch of the page': await quiet(async () => (await fetch(origin, { credentials: 'include' })).text()),
      'fetch that follows no redirect': await text({ redirect: 'manual', mode: 'no-cors' }),
      'a log-in that is read': await text({ method: 'POST', body: '{"name":"admin","password":"x"}' }, '/session'),
      frame: await frame('/'),
      'frame of the API': await frame('/api/v1/projects'),
      image: await element(
        () => Object.assign(document.createElement('img'), { src: `${api}/settings/certificate.cer` }),
        (made) => String((made as HTMLImageElement).naturalWidth),
      ),
      script: await element(
        () => Object.assign(document.createElement('script'), { src: `${api}/projects` }),
        () => 'it ran',
      ),
      'style sheet': await element(
        () => Object.assign(document.createElement('link'), { rel: 'stylesheet', href: `${api}/projects` }),
        (made) => String((made as HTMLLinkElement).sheet?.cssRules.length),
      ),
      'event source': await quiet(
        () =>
          new Promise((resolve) => {
            const source = new EventSource(`${api}/events`, { withCredentials: true });
            source.addEventListener('open', () => resolve('it opened'));
            source.addEventListener('message', (event) => resolve(String(event.data)));
            source.addEventListener('error', () => {
              source.close();
              resolve('');
            });
          }),
      ),
      'web socket': await quiet(
        () =>
          new Promise((resolve) => {
            const socket = new WebSocket(`${api.replace('http', 'ws')}/events`);
            socket.addEventListener('open', () => resolve('it opened'));
            socket.addEventListener('error', () => resolve(''));
          }),
      ),
      'another window': await quiet(async () => {
        const other = window.open(origin);
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const read = other?.document.body.textContent ?? '';
        other?.close();
        return read;
      }),
    };
  }, target);
}

const WRITES: readonly (readonly [path: string, body: object])[] = [
  ['/projects', { id: 'evil', name: 'Evil' }],
  ['/projects/line-1/pipelines/orders/start', {}],
  ['/projects/line-1/keys', { name: 'evil', scopes: [] }],
  ['/users', { name: 'evil', password: 'a long enough pass phrase', roles: ['Administrator'] }],
  ['/setup', { token: 'x', name: 'evil', password: 'a long enough pass phrase' }],
  ['/session/password', { password: 'another long pass phrase' }],
  ['/backup', { passphrase: 'a long enough pass phrase' }],
];

/** Tries to change things by every way in which a page can send without asking first, and by those where it must ask. */
export function writeFromPage(page: Page, target: string): Promise<void> {
  return page.evaluate(
    async ({ origin, writes }) => {
      const api = `${origin}/api/v1`;
      const quiet = (promise: Promise<unknown>) => promise.catch(() => {});
      for (const [path, body] of writes) {
        const json = JSON.stringify(body);
        const send = (init: RequestInit) =>
          quiet(fetch(api + path, { credentials: 'include', method: 'POST', ...init }));
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
          await send({ mode: 'no-cors', body: json, headers: { 'Content-Type': type } });
        await send({ mode: 'no-cors', body: new Blob([json]) });
        await send({ body: json, headers: { 'Content-Type': 'application/json' } });
        await send({ body: json, headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': 'x' } });
        await send({ method: 'DELETE' });
        await send({ method: 'PUT', body: json });
        await send({ method: 'PATCH', body: json });
        navigator.sendBeacon(api + path, json);
        await quiet(
          fetch(api + path, {
            method: 'POST',
            body: json,
            mode: 'no-cors',
            keepalive: true,
            referrerPolicy: 'no-referrer',
          }),
        );
        for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
          const name = `sink-${Math.random()}`;
          const sink = Object.assign(document.createElement('iframe'), { name });
          const form = Object.assign(document.createElement('form'), {
            action: api + path,
            method: 'post',
            enctype,
            target: name,
          });
          const field = Object.assign(document.createElement('input'), {
            name: `${json.slice(0, -1)},"x":"`,
            value: '"}',
          });
          form.append(field);
          document.body.append(sink, form);
          const loaded = new Promise((resolve) => {
            sink.addEventListener('load', resolve);
            setTimeout(resolve, 1000);
          });
          form.submit();
          await loaded;
        }
      }
    },
    { origin: target, writes: WRITES },
  );
}
