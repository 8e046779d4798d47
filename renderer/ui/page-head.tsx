import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { gatewaySilence, useSilentSince } from '../api/connection.ts';
import { useStatus } from '../api/queries.ts';
import { clockTime } from './format.ts';
import { useHeadingFocus } from './focus-return.ts';
import { Shape } from './shape.tsx';
import { useTitle } from './use-title.ts';

/**
 * A page begins with its title and one sentence with the main information; actions right, the primary one last. While
 * Sluice is silent, the sentence says that instead: its own one may no longer be true.
 */
export function PageHead({
  title,
  answer,
  actions,
  ofGateway = false,
}: {
  title: string;
  answer?: ReactNode;
  actions?: ReactNode;
  /** The sentence is about routes and pipelines: it is replaced while the gateway is silent, too. */
  ofGateway?: boolean;
}) {
  const heading = useHeadingFocus();
  useTitle(title);
  return (
    <div className="page-head">
      <div className="title grow">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <Answer answer={answer} ofGateway={ofGateway} />
      </div>
      {actions}
    </div>
  );
}

function Answer({ answer, ofGateway }: { answer: ReactNode; ofGateway: boolean }) {
  const since = useSilentSince();
  if (since !== null) return <StaleSentence since={since} />;
  return ofGateway ? <GatewayAnswer answer={answer} /> : <Sentence answer={answer} />;
}

function GatewayAnswer({ answer }: { answer: ReactNode }) {
  const { t } = useTranslation();
  const gateway = useStatus().data?.gateway;
  if (gateway === undefined || gatewaySilence(gateway) === null) return <Sentence answer={answer} />;
  return (
    <span className="answer stale-sentence" role="alert">
      <Shape name="warning" />
      <b>{t('error.gatewaySilent')}</b>
    </span>
  );
}

function Sentence({ answer }: { answer: ReactNode }) {
  return answer === undefined ? null : <span className="answer">{answer}</span>;
}

/** No value on the page is newer than this. */
export function StaleSentence({ since }: { since: Date }) {
  const { t } = useTranslation();
  return (
    <span className="answer stale-sentence" role="alert">
      <Shape name="unknown" />
      <b>{t('error.silentSince', { time: clockTime(since) })}</b>
    </span>
  );
}
