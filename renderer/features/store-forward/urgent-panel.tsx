import { Button, Menu } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import type { EgressAnswer, EgressTarget } from '#common/model/egress.ts';
import type { PipelineRecord } from '#common/model/records.ts';
import type { EgressView } from '#api/egress-queries.ts';
import { usePipelines } from '#api/queries.ts';
import { usePermission } from '#api/session.ts';
import { Icon } from '#ui/icon.tsx';
import { useNow } from '#ui/now.ts';
import { bytesText, durationText, numberText } from '#ui/quantity.ts';
import { Shape } from '#ui/shape.tsx';
import { Moment } from '#ui/time.tsx';
import { useAddress } from '#ui/use-address.ts';
import { BacklogChart } from './backlog-chart.tsx';
import { statusText } from './http-status.ts';
import type { Notice } from '#ui/notice-line.tsx';
import { callersOf, conditionOf, targetName } from './target-view.ts';
import { TokenDialog } from './token-dialog.tsx';
import { tokenPlaces, type TokenPlace } from './token-places.ts';
import { useTargetActs } from './use-target-acts.ts';

interface Props {
  target: EgressTarget;
  view: EgressView;
  onNotice: (notice: Notice) => void;
}

/** The target to look at first: its problem, the remedy, and the available time. */
export function UrgentPanel({ target, view, onNotice }: Props) {
  const { t } = useTranslation();
  const condition = conditionOf(target);
  const title = titleOf(t, target);
  const kind = condition === 'stopped' ? 'alarm' : 'warning';
  return (
    <section className={`panel urgent ${condition === 'tried' ? '' : kind}`} aria-label={title}>
      <div className="urgent-left">
        <div className="urgent-head">
          {condition === 'tried' ? <Shape name="paused" /> : <Shape name={kind} label={t(`alarmKind.${kind}`)} />}
          <div className="grow">
            <h2>{title}</h2>
            <Cause target={target} />
          </div>
        </div>
        <Acts target={target} onNotice={onNotice} />
        <Short target={target} />
        <Figures target={target} view={view} />
      </div>
      <div className="urgent-right">
        <BacklogChart target={target} view={view} />
      </div>
    </section>
  );
}

const wantsToken = ({ lastAnswer }: EgressTarget) => lastAnswer?.status === 401 || lastAnswer?.status === 403;

function titleOf(t: TFunction, target: EgressTarget): string {
  const { name } = targetName(target.target);
  const { lastAnswer, pausedBy } = target;
  const condition = conditionOf(target);
  if (condition === 'tried') return t('egress.urgent.tried', { name });
  if (condition === 'paused') return t('egress.urgent.filling', { name, person: pausedBy ?? '' });
  if (lastAnswer === null || (condition === 'retrying' && lastAnswer.status === null))
    return condition === 'retrying' ? t('egress.urgent.silent', { name }) : t('egress.urgent.pausedAt', { name });
  if (lastAnswer.status === null) return t('egress.urgent.pausedAt', { name });
  const status = statusText(lastAnswer.status);
  if (wantsToken(target)) return t('egress.urgent.refuses', { name, status });
  return condition === 'retrying'
    ? t('egress.urgent.answers', { name, status })
    : t('egress.urgent.pausedAt', { name });
}

function Cause({ target }: { target: EgressTarget }) {
  const { t } = useTranslation();
  const { pausedAt, pausedBy, lastAnswer } = target;
  const isTried = conditionOf(target) === 'tried';
  // Both are about the refusal before the delivered try.
  const why = isTried ? '' : whyOf(target);
  const said = isTried || lastAnswer === null || lastAnswer.status === null ? '' : lastAnswer.text;
  const since = pausedBy === null ? 'egress.urgent.since' : 'egress.urgent.sincePerson';
  return (
    <p className="t2">
      {pausedAt === null ? (
        t('egress.urgent.retries')
      ) : (
        <Trans t={t} i18nKey={since} components={{ a: <Moment iso={pausedAt} /> }} />
      )}{' '}
      {why !== '' && `${t('common.reason', { reason: why })} `}
      {said !== '' && !why.includes(said) && (
        <Trans t={t} i18nKey="egress.urgent.says" values={{ text: said }} components={{ i: <i className="break" /> }} />
      )}
    </p>
  );
}

/** The information that the title does not contain, as an English sentence. */
function whyOf(target: EgressTarget): string {
  const { reason, pausedBy, lastAnswer } = target;
  const titleSaysIt = lastAnswer !== null && lastAnswer.status !== null && conditionOf(target) === 'retrying';
  if (reason === null || pausedBy !== null || titleSaysIt || wantsToken(target)) return '';
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? '' : '.'}`;
}

function Acts({ target, onNotice }: Omit<Props, 'view'>) {
  const { t } = useTranslation();
  const mayRun = usePermission('run_pipelines');
  const pipelines = usePipelines().data;
  const { begin, pending } = useTargetActs(target, onNotice);
  const callers = pipelines === undefined ? [] : callersOf(target.target, pipelines);
  const isPaused = target.state === 'paused';
  const isTried = conditionOf(target) === 'tried';
  return (
    <div className="row wrap urgent-indent">
      {isTried && mayRun && (
        <Button variant="filled" loading={pending === 'resume'} onClick={() => begin('resume')}>
          {t('egress.resume')}
        </Button>
      )}
      <TokenOrCaller target={target} callers={callers} onNotice={onNotice} />
      {mayRun && isPaused && target.queued > 0 && (
        <Button leftSection={<Icon name="start" />} loading={pending === 'try'} onClick={() => begin('try')}>
          {t('egress.urgent.tryOne')}
        </Button>
      )}
      {mayRun && isPaused && !isTried && (
        <Button loading={pending === 'resume'} onClick={() => begin('resume')}>
          {t('egress.resume')}
        </Button>
      )}
      {!mayRun && isPaused && <span className="t2">{t('egress.onlyRunners')}</span>}
      {pipelines !== undefined && callers.length === 0 && <span className="t2">{t('egress.urgent.noCaller')}</span>}
    </div>
  );
}

/**
 * The token is put in here, if this person may and no draft is in the way; otherwise it is a way to the pipeline. After
 * a delivered try nothing is left to do here, but an open dialog stays: it shows that try.
 */
function TokenOrCaller({ target, callers, onNotice }: Omit<Props, 'view'> & { callers: PipelineRecord[] }) {
  const { t } = useTranslation();
  const mayRun = usePermission('run_pipelines');
  const mayEdit = usePermission('edit_pipelines');
  const [places, setPlaces] = useState<readonly TokenPlace[] | null>(null);
  const address = useAddress();
  const found = tokenPlaces(target.target, callers);
  const { name } = targetName(target.target);
  const isHere =
    mayRun && mayEdit && target.state === 'paused' && found.places.length > 0 && found.blocked.length === 0;
  const isTried = conditionOf(target) === 'tried';
  // The link of the alarm opens the dialog.
  if (places === null && address.read('token') !== '' && isHere && wantsToken(target)) setPlaces(found.places);
  const close = () => {
    address.change({ token: '' });
    setPlaces(null);
  };
  if (places === null && isTried) return null;
  if (places === null && !(wantsToken(target) && isHere))
    return <CallerButton callers={callers} token={wantsToken(target)} />;
  return (
    <>
      {!isTried && (
        <Button variant="filled" leftSection={<Icon name="key" />} onClick={() => setPlaces(found.places)}>
          {t('egress.urgent.newToken')}
        </Button>
      )}
      {places !== null && (
        <TokenDialog
          target={target}
          places={places}
          onResumed={() => (close(), onNotice({ kind: 'done', text: t('egress.notice.resume', { name }) }))}
          onClose={close}
        />
      )}
    </>
  );
}

/** To the pipeline whose node calls the target; a list when several do. */
function CallerButton({ callers, token }: { callers: PipelineRecord[]; token: boolean }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const [first] = callers;
  if (first === undefined) return null;
  const label = token ? t('egress.urgent.newToken') : t('egress.urgent.openPipeline');
  const look = { variant: 'filled', leftSection: <Icon name={token ? 'key' : 'pipelines'} /> };
  const place = ({ project, id }: PipelineRecord) => `/pipelines/${project}/${id}`;
  if (callers.length === 1) {
    return (
      <Button component={Link} href={place(first)} {...look}>
        {label}
      </Button>
    );
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button rightSection={<Icon name="down" />} {...look}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {callers.map((pipeline) => (
          <Menu.Item key={`${pipeline.project}/${pipeline.id}`} onClick={() => go(place(pipeline))}>
            {t('egress.toPipeline', { name: pipeline.name })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** At the panel's size: one line in place of the figures. */
function Short({ target }: { target: EgressTarget }) {
  const { t, i18n } = useTranslation();
  const { events, age } = useWaiting(target);
  const { acceptedPerMinute, queued } = target;
  return (
    <p className="slim urgent-indent">
      <Trans
        t={t}
        i18nKey={acceptedPerMinute > 0 ? 'egress.urgent.short' : 'egress.urgent.shortStill'}
        count={queued}
        values={{ events, age, arriving: numberText(acceptedPerMinute, i18n.language) }}
        components={{ b: <b /> }}
      />
    </p>
  );
}

function useWaiting({ queued, oldestAt }: EgressTarget): { events: string; age: string } {
  const { t, i18n } = useTranslation();
  const now = useNow();
  const age = oldestAt === null ? t('egress.none') : durationText((now.getTime() - Date.parse(oldestAt)) / 1000);
  return { events: t('egress.events', { count: queued, events: numberText(queued, i18n.language) }), age };
}

function Figures({ target, view }: { target: EgressTarget; view: EgressView }) {
  const { t, i18n } = useTranslation();
  const locale = i18n.language;
  const { buffer } = view;
  const waiting = useWaiting(target);
  return (
    <dl className="facts wide urgent-indent">
      <dt>{t('egress.waiting')}</dt>
      <dd>
        <Trans t={t} i18nKey="egress.urgent.waitingValue" values={waiting} components={{ b: <b /> }} />
      </dd>
      <dt>{t('egress.urgent.arriving')}</dt>
      <dd>
        {t('egress.urgent.arrivingValue', {
          count: numberText(target.acceptedPerMinute, locale),
          out: numberText(target.deliveredPerMinute, locale),
        })}
      </dd>
      <dt>{t('egress.urgent.buffer')}</dt>
      <dd>
        {t('egress.bufferLong', {
          bytes: bytesText(buffer.bytes, locale),
          bytesMax: bytesText(buffer.bytesMax, locale),
          events: numberText(buffer.events, locale),
          eventsMax: numberText(buffer.eventsMax, locale),
        })}
      </dd>
      <dt>{t('egress.urgent.lastAnswer')}</dt>
      <dd>
        <LastAnswer answer={target.lastAnswer} />
      </dd>
    </dl>
  );
}

export function LastAnswer({ answer }: { answer: EgressAnswer | null }) {
  const { t, i18n } = useTranslation();
  if (answer === null) return <span className="t3">{t('egress.urgent.noneYet')}</span>;
  const ms = numberText(Math.round(answer.durationMs), i18n.language);
  return (
    <>
      <Moment iso={answer.at} />,{' '}
      {answer.status === null
        ? t('egress.urgent.noAnswerIn', { ms })
        : t('egress.urgent.answerIn', { answer: statusText(answer.status), ms })}
    </>
  );
}
