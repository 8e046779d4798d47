import { Menu } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import type { KeyExposure, KeyRecord } from '#common/model/records.ts';
import type { KeyCaller } from '#common/model/traffic.ts';
import { useFleetRole } from '#api/fleet-queries.ts';
import { useResumeKey } from '#api/key-queries.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/now.ts';
import { TableHead } from '#ui/table-head.tsx';
import { Tags } from '#ui/tags.tsx';
import { Ago, ageText } from '#ui/time.tsx';
import { TwoLines } from '#ui/two-lines.tsx';
import { RowMenu } from '#ui/row-menu.tsx';
import { DayBars } from './day-bars.tsx';
import { isLimited } from '#ui/limits/limit-entries.ts';
import { hasNeverPassed, inOrder, predecessorOf, stateOf, successorOf } from './key-view.ts';

interface Acts {
  onRevoke: (record: KeyRecord) => void;
  onRotate: (record: KeyRecord) => void;
  onReach: (record: KeyRecord) => void;
  onLimit: (record: KeyRecord) => void;
  onPause: (record: KeyRecord) => void;
}
interface Props extends Acts {
  keys: readonly KeyRecord[];
  /** Every key of every project: a key is being replaced if its successor is among them. */
  all: readonly KeyRecord[];
  /** Undefined: unknown. */
  traffic: readonly KeyCaller[] | undefined;
  /** Null: the keys are of one project. */
  projectName: ((id: string) => string) | null;
}

export function KeyTable({ keys, all, traffic, projectName, ...acts }: Props) {
  const { t } = useTranslation();
  return (
    <table>
      <TableHead
        columns={[
          t('keys.consumer'),
          t('keys.scopes'),
          t('keys.lastUse'),
          t('keysPage.day'),
          { text: t('keys.created'), className: 'wide' },
          t('keys.state'),
        ]}
        actions={t('keys.actionsShort')}
      />
      <tbody>
        {inOrder(keys).map((record) => (
          <KeyRow
            key={record.id}
            record={record}
            keys={all}
            project={projectName?.(record.project) ?? null}
            traffic={traffic?.find(({ keyId }) => keyId === record.id)}
            {...acts}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps extends Acts {
  record: KeyRecord;
  keys: readonly KeyRecord[];
  traffic: KeyCaller | undefined;
  /** The name of its project; null: it is not shown. */
  project: string | null;
}

function KeyRow({ record, keys, traffic, project, ...acts }: RowProps) {
  const { t } = useTranslation();
  const state = stateOf(record, keys, traffic, useNow());
  const edge = state.kind === 'refused' || state.kind === 'silent' ? 'warning-edge' : '';
  return (
    <tr className={record.revokedAt === null ? edge : 'dim'}>
      <td>
        <button type="button" className="row-link key-name" onClick={() => acts.onReach(record)}>
          <TwoLines name={record.name} id={`slc_${record.id}_…`} />
          {project !== null && <small className="t2">{project}</small>}
        </button>
      </td>
      <td>
        <Tags names={record.scopes} none={t('keys.noScopes')} />
        {isLimited(record) && (
          <small className="t2"> {t(record.limits.rehearsal ? 'keyLimits.rehearses' : 'keyLimits.limited')}</small>
        )}
      </td>
      <td>
        <span className="two">
          {hasNeverPassed(record, traffic) ? (
            <span className="t3">{t('keysPage.neverPassed')}</span>
          ) : (
            <Ago iso={record.lastUsedAt} />
          )}
          {/* A key that was only refused has an address, but no use that the address belongs to. */}
          {record.lastUsedAt !== null && traffic?.ip && <small className="mono">{traffic.ip}</small>}
        </span>
      </td>
      <td>{traffic === undefined ? <span className="t3">–</span> : <DayBars day={traffic.day} />}</td>
      <td className="wide">
        <span className="two">
          <Ago iso={record.createdAt} />
          <small>{t('keys.createdBy', { name: record.createdBy })}</small>
        </span>
      </td>
      <td>
        <span className="two">
          <StateChip record={record} keys={keys} state={state} onRotate={acts.onRotate} />
          {record.exposed !== null && record.revokedAt === null && <ExposureNote exposure={record.exposed} />}
          {state.kind === 'paused' && <PauseNote record={record} />}
        </span>
      </td>
      <td className="number-cell">
        <KeyMenu record={record} keys={keys} {...acts} />
      </td>
    </tr>
  );
}

type ChipProps = Pick<RowProps, 'record' | 'keys' | 'onRotate'> & { state: ReturnType<typeof stateOf> };

function StateChip({ record, keys, state, onRotate }: ChipProps) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  switch (state.kind) {
    case 'revoked':
      return (
        <Chip shape="stopped" quiet>
          {t('keys.revoked', { time: ageText(t, i18n.language, state.at, now) })}
        </Chip>
      );
    case 'honey':
      return (
        <Chip shape="stopped" quiet>
          {t('keyLimits.honey')}
        </Chip>
      );
    case 'honeyUsed':
      return <Chip shape="alarm">{t('keyLimits.honeyUsed')}</Chip>;
    case 'exposed':
      return (
        <button type="button" className="as-link touch" onClick={() => onRotate(record)}>
          <Chip shape="warning">{t('keyLimits.exposed')}</Chip>
        </button>
      );
    case 'paused':
      return <Chip shape="stopped">{t(record.paused?.second ? 'keyLimits.waits' : 'keyLimits.paused')}</Chip>;
    case 'ended':
      return <Chip shape="stopped">{t('keyLimits.ended')}</Chip>;
    case 'refused':
      return (
        <Link href={`/journal?keyId=${record.id}&type=refusal`} className="touch">
          <Chip shape="warning">{t('keysPage.refused', { count: state.count })}</Chip>
        </Link>
      );
    case 'silent':
      return <Chip shape="warning">{t('keysPage.silent')}</Chip>;
    case 'replaced':
      return (
        <Link href={rotationPath(record, keys)} className="touch">
          <Chip shape="starting">{t('keysPage.replaced')}</Chip>
        </Link>
      );
    case 'unused':
      return <Chip shape="advisory">{t('keysPage.unusedDays', { count: state.days })}</Chip>;
    case 'neverPassed':
      return <Chip shape="advisory">{t('keysPage.neverPassed')}</Chip>;
    case 'never':
      return <Chip shape="stopped">{t('keysPage.never')}</Chip>;
    case 'valid':
      return <Chip shape="running">{t('keys.valid')}</Chip>;
  }
}

/** When, how and from where. */
function ExposureNote({ exposure: { at, how, ip, method, path } }: { exposure: KeyExposure }) {
  const { t, i18n } = useTranslation();
  const ago = ageText(t, i18n.language, at, useNow());
  return <small className="t2 wrap-any">{t(`keyLimits.seen.${how}`, { ago, ip, call: `${method} ${path}` })}</small>;
}

function PauseNote({ record: { paused } }: Pick<RowProps, 'record'>) {
  const { t, i18n } = useTranslation();
  const now = useNow();
  if (paused === null) return null;
  const { at, by, reason, second } = paused;
  return (
    <small className="t2">
      {second
        ? t('keyLimits.waitsFor', { person: by })
        : t('keyLimits.pausedBy', { ago: ageText(t, i18n.language, at, now), person: by, reason })}
    </small>
  );
}

/** The page of a rotation can be opened from both keys. */
function rotationPath(record: KeyRecord, keys: readonly KeyRecord[]): string {
  const old = successorOf(record, keys) === null ? (predecessorOf(record, keys) ?? record) : record;
  return `/settings/api-keys/${encodeURIComponent(old.project)}/${encodeURIComponent(old.id)}/rotation`;
}

function isRotating(record: KeyRecord, keys: readonly KeyRecord[]): boolean {
  return successorOf(record, keys) !== null || predecessorOf(record, keys)?.revokedAt === null;
}

function KeyMenu({
  record,
  keys,
  onRevoke,
  onRotate,
  onReach,
  onLimit,
  onPause,
}: Omit<RowProps, 'traffic' | 'project'>) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const resume = useResumeKey();
  const isHub = useFleetRole() === 'hub';
  const valid = record.revokedAt === null;
  const accepted = valid && !record.honey;
  return (
    <RowMenu label={t('keys.actions', { name: record.name })}>
      {accepted && <Menu.Item onClick={() => onReach(record)}>{t('keysPage.showReach')}</Menu.Item>}
      {valid && isRotating(record, keys) && (
        <Menu.Item onClick={() => go(rotationPath(record, keys))}>{t('keysPage.showRotation')}</Menu.Item>
      )}
      {accepted && successorOf(record, keys) === null && (
        <Menu.Item onClick={() => onRotate(record)}>{t('keys.rotate')}</Menu.Item>
      )}
      {accepted && <Menu.Item onClick={() => onLimit(record)}>{t('keyLimits.menu')}</Menu.Item>}
      {accepted && record.paused === null && (
        <Menu.Item onClick={() => onPause(record)}>{t('keyLimits.pause')}</Menu.Item>
      )}
      {accepted && record.paused !== null && (
        <Menu.Item onClick={() => resume.mutate(record)}>
          {t(record.paused.second ? 'keyLimits.approve' : 'keyLimits.resume')}
        </Menu.Item>
      )}
      {isHub && !record.honey && (
        <Menu.Item onClick={() => go(`/settings/fleet?key=${record.id}`)}>{t('fleet.onEdges')}</Menu.Item>
      )}
      <Menu.Item onClick={() => go(`/journal?keyId=${record.id}`)}>{t('keys.showCalls')}</Menu.Item>
      {valid && <Menu.Divider />}
      {valid && <Menu.Item onClick={() => onRevoke(record)}>{t('keys.revoke')}</Menu.Item>}
    </RowMenu>
  );
}
