import { Menu } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { StatusRecord, UserRecord } from '#common/model/records.ts';
import type { AlarmSeverity } from '#common/alarms/severity.ts';
import { shownAlarms } from '../api/alarm-kind.ts';
import { gatewaySilence, useSilentSince } from '../api/connection.ts';
import { useStatus } from '../api/queries.ts';
import { useLogOut } from '../api/session.ts';
import { rememberSetup, useSetupProgress } from '../api/setup-progress.ts';
import { clockTime, dayAndTime } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { useNow } from '../ui/now.ts';
import { dialogPart } from '../ui/part/dialog-part.tsx';
import { durationText } from '../ui/quantity.ts';
import { Shape, type ShapeName } from '../ui/shape.tsx';
import { useNarrow } from '../ui/use-narrow.ts';
import { Brand, LanguageButton, LanguageItems, SchemeButton, useTurnScheme } from './bar-controls.tsx';
import { SearchButton } from './search-button.tsx';

/** State of the appliance, always in sight: gateway, alarm counts, clock, who is logged in. */
export function TopBar({ user, rail }: { user: UserRecord; /** The id of the drawer. */ rail: string }) {
  const status = useStatus();
  const narrow = useNarrow();
  return (
    <header className="bar">
      {narrow ? <RailButton rail={rail} /> : <Brand />}
      {status.data && !narrow && <b className="strong">{status.data.machine.name}</b>}
      <Connection status={status.data} />
      <span className="gap" />
      {status.data && <AlarmCounts status={status.data} />}
      <Clock />
      <SearchButton />
      <Account user={user} narrow={narrow} />
      {!narrow && <LanguageButton />}
      {!narrow && <SchemeButton />}
    </header>
  );
}

function RailButton({ rail }: { rail: string }) {
  const { t } = useTranslation();
  return (
    <button type="button" aria-label={t('nav.open')} popoverTarget={rail}>
      <Icon name="menu" />
    </button>
  );
}

const GATEWAY_SHAPES: Record<StatusRecord['gateway']['state'], ShapeName> = {
  starting: 'starting',
  running: 'running',
  draining: 'starting',
  stopping: 'starting',
  dead: 'alarm',
};

/** State of the appliance: whether it responds, and if so, that of its gateway. */
function Connection({ status }: { status: StatusRecord | undefined }) {
  const { t } = useTranslation();
  const silentSince = useSilentSince();
  if (silentSince !== null) return <Silence since={silentSince} />;
  if (status !== undefined) return <GatewayState status={status} />;
  return (
    <span>
      <Shape name="unknown" />
      {t('bar.unknown')}
    </span>
  );
}

function Silence({ since }: { since: Date }) {
  const { t } = useTranslation();
  const now = useNow();
  return (
    <span>
      <Shape name="unknown" />
      <b>{t('bar.silent', { time: durationText((now.getTime() - since.getTime()) / 1000) })}</b>
    </span>
  );
}

function GatewayState({ status }: { status: StatusRecord }) {
  const { t } = useTranslation();
  const now = useNow();
  const { state, port, since } = status.gateway;
  const silence = gatewaySilence(status.gateway);
  if (silence !== null) {
    return (
      <span>
        <Shape name="warning" />
        <b>{t('bar.gatewaySilent', { time: durationText(silence) })}</b>
      </span>
    );
  }
  const address = `${status.machine.address ?? '127.0.0.1'}:${port}`;
  return (
    <span>
      <Shape name={GATEWAY_SHAPES[state]} />
      {t(`bar.gateway.${state}`)}
      {port !== null && state === 'running' && (
        <span className="t2 wide">
          {t('bar.upFor', { address, time: durationText((now.getTime() - Date.parse(since)) / 1000) })}
        </span>
      )}
    </span>
  );
}

const KINDS: AlarmSeverity[] = ['alarm', 'warning', 'advisory'];

function AlarmCounts({ status }: { status: StatusRecord }) {
  const { t } = useTranslation();
  const alarms = shownAlarms(status.alarms);
  const count = (kind: AlarmSeverity) => alarms.filter(({ severity }) => severity === kind).length;
  return (
    <Link
      href="/"
      aria-label={t('bar.alarms', {
        alarms: count('alarm'),
        warnings: count('warning'),
        advisories: count('advisory'),
      })}
    >
      {KINDS.map((kind) => (
        <span key={kind} className="row">
          {count(kind) === 0 ? <Shape name="stopped" small /> : <Shape name={kind} />}
          <span className={count(kind) === 0 ? 'count zero' : 'count'}>{count(kind)}</span>
        </span>
      ))}
    </Link>
  );
}

function Clock() {
  const { i18n } = useTranslation();
  const now = useNow();
  return (
    <span className="clock" title={dayAndTime(now, i18n.language)}>
      <b className="strong">{clockTime(now)}</b>
    </span>
  );
}

const OwnPasswordDialog = dialogPart(
  (t) => t('shell.ownPassword.title'),
  async () => (await import('../ui/own-password-dialog.tsx')).OwnPasswordDialog,
);

const LogOutDialog = dialogPart(
  (t) => t('shell.logOut.title'),
  async () => (await import('../ui/log-out-dialog.tsx')).LogOutDialog,
);

/** On a narrow screen also what else has a button in the bar. */
function Account({ user, narrow }: { user: UserRecord; narrow: boolean }) {
  const { t } = useTranslation();
  const logOut = useLogOut();
  const setup = useSetupProgress(user.name);
  const [changing, setChanging] = useState(false);
  const turnScheme = useTurnScheme();
  return (
    <Menu>
      <Menu.Target>
        <button type="button" aria-label={t('bar.account', { name: user.name })}>
          <Icon name="user" />
          {!narrow && user.name}
          <span className="t2 wide">{user.roles.join(', ')}</span>
          <Icon name="down" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{(narrow ? [user.name, ...user.roles] : user.roles).join(', ')}</Menu.Label>
        {setup !== null && (
          <Menu.Item onClick={() => rememberSetup({ ...setup, later: false })}>{t('bar.continueSetup')}</Menu.Item>
        )}
        <Menu.Item onClick={() => setChanging(true)}>{t('shell.ownPassword.title')}</Menu.Item>
        <Menu.Item onClick={() => logOut.mutate()}>{t('bar.logOut')}</Menu.Item>
        {narrow && <Menu.Divider />}
        {narrow && <LanguageItems />}
        {narrow && <Menu.Item onClick={turnScheme}>{t('common.lightDark')}</Menu.Item>}
      </Menu.Dropdown>
      {changing && <OwnPasswordDialog onClose={() => setChanging(false)} />}
      {logOut.failureReason !== null && (
        <LogOutDialog error={logOut.failureReason} onAgain={() => logOut.mutate()} onClose={logOut.reset} />
      )}
    </Menu>
  );
}
