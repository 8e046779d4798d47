import { callByHeyApi } from './hey-api.js';
import { callByOpenApiFetch } from './openapi-fetch.js';
import type { Target } from './report.js';

/** `run.js openapi-fetch|hey-api`, with a Target as JSON on standard input. */
const CLIENTS = { 'openapi-fetch': callByOpenApiFetch, 'hey-api': callByHeyApi };

let text = '';
process.stdin.setEncoding('utf8');
for await (const part of process.stdin) text += part;
const name = process.argv[2];
const call = Object.entries(CLIENTS).find(([client]) => client === name)?.[1];
if (call === undefined) throw new Error(`expected one of ${Object.keys(CLIENTS).join(', ')}`);
const target: Target = JSON.parse(text);
await call(target);
