import { shelfMsMax } from '#common/alarms/severity.ts';
import { ALARM_PAGE_MAX, alarmContract } from '#common/contract/alarm.ts';
import { ruleBroken } from '#common/errors/rules.ts';
import type { Alarm } from '#common/model/records.ts';
import { performAct } from './acts.ts';
import { type Context, defineCall, invalid, type Services, unknown } from './call.ts';

const CODE_CHARS_MAX = 64;
const PAGE = 50;

export const alarmCalls = [
  defineCall(alarmContract.acknowledge, {
    handle(services, context) {
      const by = context.session.user.name;
      const { note } = context.body;
      return change(services, context, note ?? '', (code) => services.alarmActs.acknowledge(code, by, note));
    },
  }),
  defineCall(alarmContract.shelve, {
    handle(services, context) {
      const by = context.session.user.name;
      const { note } = context.body;
      const until = new Date(context.body.until);
      expectShelfEnd(context.param('alarm'), until, Date.now());
      const detail = `until ${until.toISOString()}${note === null ? '' : `: ${note}`}`;
      const shelf = { until: until.toISOString(), by, note };
      return change(services, context, detail, (code) => services.alarmActs.shelve(code, shelf));
    },
  }),
  defineCall(alarmContract.unshelve, {
    handle: (services, context) => change(services, context, '', (code) => services.alarmActs.unshelve(code)),
  }),
  defineCall(alarmContract.history, {
    handle({ alarmActs }, { query: { limit = PAGE, cursor } }) {
      const items = alarmActs.history(
        Math.min(limit, ALARM_PAGE_MAX),
        cursor === undefined ? undefined : Number(cursor),
      );
      return { items, next: items.length < limit ? null : String(items.at(-1)?.id ?? '') };
    },
  }),
];

function expectShelfEnd(code: string, until: Date, nowMs: number): void {
  const longest = new Date(nowMs + shelfMsMax(code));
  if (until.getTime() > nowMs && until <= longest) return;
  const params = { what: 'a time', from: new Date(nowMs).toISOString(), to: longest.toISOString() };
  throw invalid([ruleBroken('until', 'range', params)]);
}

/** Throws `unknown` if there is no such alarm, or if it has just cleared. */
async function change(
  services: Services,
  context: Context<unknown, unknown>,
  detail: string,
  act: (code: string) => Alarm | null,
): Promise<Alarm> {
  const code = context.param('alarm').slice(0, CODE_CHARS_MAX);
  if (!services.alarms().some((alarm) => alarm.code === code)) throw unknown('alarm');
  const row = { target: code, ...(detail !== '' && { detail }) };
  const alarm = await performAct(services, context, row, () => act(code));
  if (alarm === null) throw unknown('alarm');
  services.hub.publish({ kind: 'state' });
  return alarm;
}
