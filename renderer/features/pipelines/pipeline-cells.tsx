import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { PipelineRecord } from '#common/model/records.ts';
import { ruleText } from '#api/rule-text.ts';
import { Chip } from '#ui/chip.tsx';
import { PipelineStateChip } from '#ui/pipeline-state.tsx';
import { numberText, percentText } from '#ui/quantity.ts';
import { RouteName } from '#ui/route-name.tsx';
import { routesOf } from '#ui/routes-of.ts';
import { Ago } from '#ui/time.tsx';
import { TwoLines } from '#ui/two-lines.tsx';
import type { PipelineFigures } from './pipeline-figures.ts';
import { draftWaits } from './run-controls.tsx';

interface Of {
  pipeline: PipelineRecord;
}

export function NameCell({ pipeline: { project, id, name } }: Of) {
  return (
    <Link href={`/pipelines/${project}/${id}`} className="row-link" title={name}>
      <TwoLines name={name} id={id} />
    </Link>
  );
}

export const isImpaired = ({ triggerFaults, errorsWith200 }: PipelineRecord): boolean =>
  triggerFaults.length + errorsWith200.length > 0;

/**
 * A started pipeline whose trigger failed, or that answers errors as 200, is not just "Running": the first reason is
 * shown below, all of them in its title.
 */
export function StateCell({ pipeline }: Of) {
  const { t, i18n } = useTranslation();
  const { state, triggerFaults, errorsWith200, revision } = pipeline;
  const reasons = [
    ...triggerFaults.map(({ node, ...sentence }) => `${node}: ${ruleText(sentence, i18n).text}`),
    ...errorsWith200.map(({ node, count }) => `${node}: ${t('pipelines.errorWith200', { count })}`),
  ];
  if (reasons.length > 0)
    return (
      <span className="two" title={reasons.join('\n')}>
        <Chip shape="warning">
          {t(triggerFaults.length > 0 ? 'pipelines.triggerFaults' : 'pipelines.errorsWith200')}
        </Chip>
        <small className="cut">{reasons[0]}</small>
      </span>
    );
  if (!draftWaits(pipeline)) return <PipelineStateChip state={state} />;
  return (
    <span className="two">
      <PipelineStateChip state={state} />
      <small>{t('pipelines.draft', { revision })}</small>
    </span>
  );
}

/** The first route, and the number of others: all rows have the same height. */
export function RoutesCell({ pipeline }: Of) {
  const { t } = useTranslation();
  const [first, ...more] = routesOf(pipeline);
  if (first === undefined) return <span className="t3">{t('pipelines.noRoute')}</span>;
  return (
    <span className="two">
      <RouteName method={first.method} pattern={first.pattern} oneLine />
      {more.length > 0 && <small>{t('common.andMore', { count: more.length })}</small>}
    </span>
  );
}

interface FiguresOf {
  figures: PipelineFigures | undefined;
}

export function RateCell({ figures }: FiguresOf) {
  const { i18n } = useTranslation();
  const rate = figures?.callsPerSecond ?? null;
  return rate === null ? <Unknown /> : numberText(rate, i18n.language, 1);
}

/** From this share on, errors are no longer exceptions. */
const ERRORS_SHARE_WARNED = 0.01;

export function ErrorsCell({ figures }: FiguresOf) {
  const { i18n } = useTranslation();
  const share = figures?.errorShare ?? null;
  if (share === null) return <Unknown />;
  return <span className={share >= ERRORS_SHARE_WARNED ? 'warned' : ''}>{percentText(share, i18n.language)}</span>;
}

export function LastCallCell({ figures }: FiguresOf) {
  const at = figures?.lastCallAt ?? null;
  return at === null ? <Unknown /> : <Ago iso={at} />;
}

export function ChangedCell({ pipeline: { updatedAt, updatedBy } }: Of) {
  return (
    <span className="two">
      <Ago iso={updatedAt} />
      <small>{updatedBy}</small>
    </span>
  );
}

const Unknown = () => <span className="t3">–</span>;
