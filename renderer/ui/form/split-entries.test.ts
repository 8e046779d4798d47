import { expect, test } from 'vitest';
import { splitEntries } from './split-entries.ts';

test.each([
  ['10.20.0.0/16, 10.30.4.7,127.0.0.1', ['10.20.0.0/16', '10.30.4.7', '127.0.0.1']],
  ['10.20.0.0/16 10.30.4.7', ['10.20.0.0/16', '10.30.4.7']],
  ['10.20.0.0/16\r\n10.30.4.7\n\nfd00::/8', ['10.20.0.0/16', '10.30.4.7', 'fd00::/8']],
  ['line1/speed\tline1/state; line1/temp', ['line1/speed', 'line1/state', 'line1/temp']],
  ['X-Trace X-Request-Id', ['X-Trace', 'X-Request-Id']],
  ['any', ['any']],
  ['two words', ['two words']],
  ['two words, 10.0.0.1', ['two words', '10.0.0.1']],
  [' , ;\n', []],
])('%j', (text, entries) => expect(splitEntries(text)).toEqual(entries));
