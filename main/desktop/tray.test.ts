import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { alarmOf, stateWith } from './shell-state.testing.ts';
import { trayIcon } from './tray-icon.ts';
import { type MenuEntry, trayMenu } from './tray-menu.ts';
import { trayState } from './tray-state.ts';
import { wordsFor } from './words.ts';

const words = await wordsFor('en');

describe('the state in the tray', () => {
  test.each([
    ['running', 'running', 'Running, 3 routes answer'],
    ['starting', 'starting', 'The gateway is starting'],
    ['dead', 'stopped', 'The gateway has stopped and is being restarted'],
    ['draining', 'stopped', 'The gateway is stopping'],
    ['stopping', 'stopped', 'The gateway is stopping'],
  ] as const)('a gateway that is %s shows as %s', (state, mark, line) => {
    const shown = trayState(stateWith({ gateway: { state } }), words);
    expect([shown.mark, shown.line, shown.tooltip]).toEqual([mark, line, `Sluice: ${line}`]);
  });

  test('is starting before there is a host', () => {
    expect(trayState(null, words)).toMatchObject({ mark: 'starting', alarms: [] });
  });

  test('counts only alarms that nobody has acknowledged', () => {
    const seen = alarmOf('b', { acknowledgedAt: '2026-03-01T08:00:00.000Z', acknowledgedBy: 'Ada' });
    const shown = trayState(stateWith({ alarms: [alarmOf('a'), seen] }), words);
    expect(shown.mark).toBe('alarm');
    expect(shown.tooltip).toBe('Sluice: Running, 3 routes answer, 1 alarm');
    expect(trayState(stateWith({ alarms: [seen] }), words).mark).toBe('running');
  });

  test('shows a missing gateway rather than alarms', () => {
    expect(trayState(stateWith({ gateway: { state: 'dead' }, alarms: [alarmOf('a')] }), words).mark).toBe('stopped');
  });
});

const labels = (entries: MenuEntry[]) => entries.flatMap((entry) => ('label' in entry ? [entry.label] : []));
const enabled = (entries: MenuEntry[]) =>
  entries.flatMap((entry) => ('act' in entry && entry.enabled ? [entry.act] : []));

describe('the menu', () => {
  const quiet = trayState(stateWith(), words);

  test('offers the actions of a user at the PC', () => {
    const menu = trayMenu(quiet, { kiosk: false, autostart: false }, words);
    expect(labels(menu)).toEqual([
      'Open Sluice',
      'Running, 3 routes answer',
      'Open log folder',
      'Save diagnostics…',
      'Start with this PC',
      'Full screen for panels',
      'Quit Sluice…',
    ]);
    expect(enabled(menu)).toEqual(['open', 'logs', 'diagnostics', 'autostart', 'kiosk', 'quit']);
  });

  test('opens only the window in the full screen of a panel, and says how to leave it', () => {
    const menu = trayMenu(quiet, { kiosk: true, autostart: true }, words);
    expect(enabled(menu)).toEqual(['open']);
    expect(labels(menu)).toContain(words.kioskOn);
    expect(menu).toContainEqual(expect.objectContaining({ act: 'kiosk', checked: true, enabled: false }));
  });

  test('of a checkout does not offer to start with the PC', () => {
    expect(labels(trayMenu(quiet, { kiosk: false, autostart: null }, words))).not.toContain(words.autostart);
  });

  test('shows five alarms as text, and the number of others', () => {
    const alarms = Array.from({ length: 7 }, (_, index) => alarmOf(`a${index}`));
    const menu = trayMenu(trayState(stateWith({ alarms }), words), { kiosk: false, autostart: null }, words);
    expect(labels(menu)).toEqual(expect.arrayContaining(['7 alarms', 'a4 is on.', 'and 2 others']));
    expect(labels(menu)).not.toContain('a5 is on.');
  });

  test('an alarm is one short line, whatever names are in it', () => {
    const text = `No call from\n"R&D" ${'x'.repeat(300)}`;
    const menu = trayMenu(
      trayState(stateWith({ alarms: [alarmOf('a', { text })] }), words),
      { kiosk: false, autostart: null },
      words,
    );
    const label = labels(menu).find((one) => one.startsWith('No call')) ?? '';
    expect(label).toMatch(/^No call from "R&&D" x+…$/);
    expect(label.length).toBeLessThan(100);
  });
});

describe('the icon', () => {
  /** Width, height and every pixel of a PNG without filters, like those of Sluice. */
  function pixels(png: Buffer): { side: number; rgba: Buffer } {
    const side = png.readUInt32BE(16);
    const size = png.readUInt32BE(33);
    expect(png.subarray(37, 41).toString('latin1')).toBe('IDAT');
    const rows = inflateSync(png.subarray(41, 41 + size));
    const lines = Array.from({ length: side }, (_, y) =>
      rows.subarray(y * (side * 4 + 1) + 1, (y + 1) * (side * 4 + 1)),
    );
    return { side, rgba: Buffer.concat(lines) };
  }

  test('is a PNG of the requested size, and opaque', () => {
    for (const side of [16, 32, 48]) {
      const { rgba, ...picture } = pixels(trayIcon('running', side));
      expect(picture.side).toBe(side);
      expect(rgba.length).toBe(side * side * 4);
      expect(rgba.every((byte, index) => index % 4 !== 3 || byte === 0xff)).toBe(true);
    }
  });

  test('shows each state by shape, even without colours', () => {
    const grey = (['running', 'starting', 'stopped', 'alarm'] as const).map((mark) => {
      const { rgba } = pixels(trayIcon(mark, 16));
      return Array.from({ length: 256 }, (_, at) =>
        (rgba[at * 4] ?? 0) + (rgba[at * 4 + 1] ?? 0) + (rgba[at * 4 + 2] ?? 0) > 300 ? '#' : '.',
      ).join('');
    });
    expect(new Set(grey).size).toBe(4);
  });
});
