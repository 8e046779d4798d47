import { Button, TextInput } from '@mantine/core';
import { useMemo, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { TagDefinition } from '#common/model/tag.ts';
import { useTags } from '#api/data-queries.ts';
import { useHistory, type History } from '#api/history-queries.ts';
import { LoadError } from '#ui/load-error.tsx';
import { FieldFault } from '#ui/field-error.tsx';
import { Icon } from '#ui/icon.tsx';
import { Empty, Panel } from '#ui/panel.tsx';
import { numberText } from '#ui/quantity.ts';
import { TrendChart } from '#ui/trend/trend-chart.tsx';
import { SERIES_MAX, type TimeRange } from '#ui/trend/trend-points.ts';
import { useAddress } from '#ui/use-address.ts';
import { DataHead } from './data-head.tsx';
import { RangeRow } from './range-row.tsx';
import { isDrawn } from './recorded-tags.ts';
import { chosenRange, LENGTHS, rangeAddress } from './trend-range.ts';
import { trendOf } from './trend-series.ts';
import { useWidth } from './use-width.ts';

/** The course of up to four tags over a range of time. */
export function TrendPart({ project }: { project: string }) {
  const { t } = useTranslation();
  const tags = useTags(project);
  const address = useAddress();
  const chosen = address.read('tags').split(',').filter(Boolean).slice(0, SERIES_MAX);
  const drawn = tags.data?.filter(isDrawn);
  return (
    <>
      <DataHead answer={drawn && t('data.trend.answer', { count: drawn.length })} />
      {tags.isError && <LoadError error={tags.error} />}
      {drawn?.length === 0 && <NothingRecorded />}
      {drawn && drawn.length > 0 && (
        <Panel>
          <div className="body stack">
            <ChosenTags
              key={chosen.join()}
              chosen={chosen}
              drawn={drawn}
              onChange={(paths) => address.change({ tags: paths.join(',') })}
            />
            <RangeRow {...address} />
            {chosen.length === 0 ? (
              <FirstTags drawn={drawn} onChoose={(path) => address.change({ tags: path })} />
            ) : (
              <Course project={project} tags={chosen} {...address} />
            )}
          </div>
        </Panel>
      )}
    </>
  );
}

function NothingRecorded() {
  const { t } = useTranslation();
  return (
    <Panel>
      <Empty title={t('data.trend.empty')} help={t('data.trend.emptyHelp')}>
        <Button component={Link} href="/data/tags">
          {t('data.trend.toTags')}
        </Button>
      </Empty>
    </Panel>
  );
}

/** More tags than this are found by typing. */
const OFFERED_MAX = 12;

function FirstTags({ drawn, onChoose }: { drawn: readonly TagDefinition[]; onChoose: (path: string) => void }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="t2">{t('data.trend.chooseFirst')}</p>
      <div className="row wrap">
        {drawn.slice(0, OFFERED_MAX).map(({ path, title }) => (
          <Button key={path} onClick={() => onChoose(path)}>
            {title === '' ? <span className="mono">{path}</span> : title}
          </Button>
        ))}
      </div>
    </>
  );
}

interface ChosenProps {
  chosen: readonly string[];
  drawn: readonly TagDefinition[];
  onChange: (paths: readonly string[]) => void;
}

function ChosenTags({ chosen, drawn, onChange }: ChosenProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [fault, setFault] = useState(false);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const known = drawn.some(({ path }) => path === text.trim());
    setFault(!known);
    if (known) onChange([...new Set([...chosen, text.trim()])]);
  };
  const offered = drawn.filter(({ path }) => !chosen.includes(path));
  return (
    <form className="row wrap top" onSubmit={add}>
      {chosen.map((path) => (
        <Button
          key={path}
          rightSection={<Icon name="close" small />}
          aria-label={t('data.trend.remove', { path })}
          onClick={() => onChange(chosen.filter((one) => one !== path))}
        >
          <span className="mono">{path}</span>
        </Button>
      ))}
      {chosen.length < SERIES_MAX && (
        <>
          <TextInput
            className="mono-field tag-choice"
            aria-label={t('data.trend.tag')}
            placeholder={t('data.trend.tag')}
            list="recorded-tags"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={fault && <FieldFault text={t('data.trend.unknownTag')} />}
          />
          <datalist id="recorded-tags">
            {offered.map(({ path, title }) => (
              <option key={path} value={path}>
                {title}
              </option>
            ))}
          </datalist>
          <Button type="submit" leftSection={<Icon name="plus" />}>
            {t('data.trend.add')}
          </Button>
        </>
      )}
    </form>
  );
}

interface CourseProps extends ReturnType<typeof useAddress> {
  project: string;
  tags: readonly string[];
}

function Course({ project, tags, read, change }: CourseProps) {
  const { t } = useTranslation();
  const [ref, width] = useWidth();
  const chosen = chosenRange(read);
  const range = chosen.kind === 'own' ? chosen.range : LENGTHS[chosen.kind];
  const history = useHistory({ project, tags, range, pixels: width });
  return (
    <div ref={ref}>
      {history.isPending && <p className="t3">{t('common.loading')}</p>}
      {history.isError && <LoadError error={history.error} title={t('data.trend.failed')} />}
      {history.data && <Drawn history={history.data} onRange={(next) => change(rangeAddress(next))} />}
    </div>
  );
}

const HEIGHT = 340;

function Drawn({ history, onRange }: { history: History; onRange: (range: TimeRange) => void }) {
  const { t, i18n } = useTranslation();
  const { from, to, tags } = history;
  // Times after now have no value yet, however far the range extends.
  const series = useMemo(
    () => history.tags.map((one) => trendOf(one, { from: history.from, until: Math.min(history.to, history.readAt) })),
    [history],
  );
  const interval = tags[0]?.interval ?? null;
  const paths = tags.map(({ tag }) => tag).join(', ');
  return (
    <div className="stack tight">
      <TrendChart label={t('data.trend.label', { paths })} {...{ series, from, to, onRange }} height={HEIGHT} />
      <p className="t3 xs">
        {interval === null
          ? t('data.trend.raw')
          : t('data.trend.mean', { seconds: numberText(interval, i18n.language, 1) })}{' '}
        {t('data.trend.hint')}
      </p>
    </div>
  );
}
