import { BODY, family, post } from './row.ts';

const repeated = (name: string, first: string, second: string, rest = BODY) =>
  post(`${name}: ${first}\r\n${name.toLowerCase()}: ${second}\r\n`, rest);

/** Headers that must not be repeated. A repeated key is not a key. */
export const REPEAT_ROWS = [
  ...family('repeated header', {
    'Content-Type, equal': repeated('Content-Type', 'application/json', 'application/json'),
    'Content-Type, different': repeated('Content-Type', 'application/json', 'text/plain'),
    'Content-Length, equal': repeated('Content-Length', '2', '2', '\r\n{}'),
    'Content-Length, different': repeated('Content-Length', '2', '0', '\r\n{}'),
    Expect: repeated('Expect', '100-continue', '100-continue'),
    'Origin, equal': repeated('Origin', 'http://a', 'http://a'),
    'Origin, different': repeated('Origin', 'http://127.0.0.1', 'http://a'),
    'Authorization, equal': repeated('Authorization', 'Basic YQ==', 'Basic YQ=='),
    'Content-Type, second empty': repeated('Content-Type', 'application/json', ''),
    'Content-Type, parameters differ': repeated('Content-Type', 'text/plain', 'text/plain; charset=utf-7'),
    'Expect, different': repeated('Expect', '100-continue', 'x'),
    'Origin, second null': repeated('Origin', 'http://127.0.0.1', 'null'),
    'Origin, second empty': repeated('Origin', 'http://127.0.0.1', ''),
    'Authorization, different': repeated('Authorization', 'Basic YQ==', 'Bearer a'),
  }),
  ...family(
    'repeated header',
    {
      'X-API-Key, equal': 'GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%\r\nx-api-key: %KEY%\r\n\r\n',
      'X-API-Key, second empty': 'GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%\r\nX-API-Key:\r\n\r\n',
      'X-API-Key, first unknown': 'GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: a\r\nX-API-Key: %KEY%\r\n\r\n',
      'X-API-Key as a joined list': 'GET /count HTTP/1.1\r\nHost: a\r\nX-API-Key: %KEY%, %KEY%\r\n\r\n',
    },
    'key_invalid',
  ),
];
