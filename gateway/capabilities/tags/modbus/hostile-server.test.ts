import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createLogger } from '#common/node/log.ts';
import { TargetGuard } from '#net/target-guard.ts';
import { until } from '#test/until.ts';
import { startRawServer } from '../testing/raw-server.ts';
import { recordTags } from '../testing/tag-recorder.ts';
import { modbusConnection, modbusTag } from './modbus-tag.testing.ts';
import { createModbusProvider } from './provider.ts';

/** A response to the request: its transaction, a length, and the bytes after the header. */
const frame = (request: Buffer, body: number[], length = body.length) =>
  Buffer.concat([request.subarray(0, 4), Buffer.from([length >> 8, length & 0xff, ...body])]);
const NOT_MODBUS = 'answers with something that is not Modbus';
const SILENT = 'no answer from';

/** Responses of a server to a read of two holding registers of unit 1, and the resulting state of the tags. */
const ANSWERS: readonly [name: string, reason: string, answer: (request: Buffer, socket: Socket) => Buffer][] = [
  ['a frame that is too short', NOT_MODBUS, (request) => frame(request, [1, 3])],
  ['an empty frame', SILENT, (request) => frame(request, [])],
  ['one register where two were asked for', NOT_MODBUS, (request) => frame(request, [1, 3, 2, 0, 7])],
  ['more registers than were asked for', NOT_MODBUS, (request) => frame(request, [1, 3, 6, 0, 7, 0, 8, 0, 9])],
  ['a byte count that says less than comes', NOT_MODBUS, (request) => frame(request, [1, 3, 2, 0, 7, 0, 8])],
  ['a byte count that says more than comes', NOT_MODBUS, (request) => frame(request, [1, 3, 255, 0, 7, 0, 8])],
  ['another unit', NOT_MODBUS, (request) => frame(request, [9, 3, 4, 0, 7, 0, 8])],
  ['another function', NOT_MODBUS, (request) => frame(request, [1, 4, 4, 0, 7, 0, 8])],
  [
    'another transaction',
    SILENT,
    (request) => {
      const other = Buffer.from(request);
      other.writeUInt16BE(4_711, 0);
      return frame(other, [1, 3, 4, 0, 7, 0, 8]);
    },
  ],
  ['a length that never comes', SILENT, (request) => frame(request, [1, 3, 4], 65_535)],
  ['text of another protocol', SILENT, () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a flood of tiny frames', 'more than Modbus allows', () => Buffer.alloc(60_000)],
  ['a flood of noise', 'more than Modbus allows', () => Buffer.alloc(2_000_000, 0xa5)],
  ['an unknown exception', 'exception 99', (request) => frame(request, [1, 0x83, 99])],
  [
    'an end in mid-frame',
    'closed the connection',
    (request, socket) => {
      socket.end(frame(request, [1, 3, 4, 0, 7, 0, 8]).subarray(0, 9));
      return Buffer.alloc(0);
    },
  ],
];

test.each(ANSWERS)(
  '%s: the tags read bad (%s), and good again when the server behaves',
  async (_name, reason, answer) => {
    let hostile = true;
    await using server = await startRawServer((request, socket) => {
      const bytes = hostile ? answer(request, socket) : frame(request, [1, 3, 4, 0, 7, 0, 8]);
      if (socket.writable) socket.write(bytes);
    });
    const sink = recordTags();
    const guard = new TargetGuard([`127.0.0.1:${server.port}`]);
    const parts = { project: 'p', sink, log: createLogger('test', () => undefined), guard, random: () => 0 };
    const provider = createModbusProvider(modbusConnection(server.port, 0.2), parts);
    try {
      provider.configure([0, 1].map((address) => modbusTag(`t${address}`, { table: 'holding', address, poll: 0.05 })));
      await until(
        'bad for that reason',
        () => sink.reason('t0')?.includes(reason) && sink.reason('t1')?.includes(reason),
      );
      expect(sink.reports.some(({ is }) => is.quality === 'good')).toBe(false);
      hostile = false;
      await until('good', () => sink.value('t0') === 7 && sink.value('t1') === 8);
    } finally {
      await provider.close();
    }
  },
);
