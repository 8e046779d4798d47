import { Button, TextInput } from '@mantine/core';
import { useMemo, useState, type FormEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { TagDefinition } from '#common/model/tag.ts';
import { useTags } from '#api/data-queries.ts';
import { useHistory, type History } from '#api/history-queries.ts';
import { LoadError } from '#ui/load-error.tsx';
import { FieldFault } from '#ui/field-error.tsx';
import { Icon } from '#ui/icon.tsx';
import { LoadingRows } from '#ui/loading-rows.tsx';
import { Loading } from '#ui/loading.tsx';
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

/** Shown while nobody has chosen any. */
const FIRST_TAGS = 2;

/** The course of up to four tags over a range of time. */
export function TrendPart({ project }: { project: string }) {
  const { t } = useTranslation();
  const tags = useTags(project);
  const address = useAddress();
  const drawn = tags.data?.filter(isDrawn);
  const named = address.read('tags').split(',').filter(Boolean).slice(0, SERIES_MAX);
  const chosen = named.length > 0 ? named : (drawn ?? []).slice(0, FIRST_TAGS).map(({ path }) => path);
  return (
    <>
      <DataHead answer={drawn && t('data.trend.answer', { count: drawn.length })} />
      <LoadingRows of={tags} />
      {drawn?.length === 0 && <NothingRecorded />}
      {drawn && drawn.length > 0 && (
        <Panel>
          <div className="body">
            <Course
              project={project}
              tags={chosen}
              {...address}
              controls={
                <>
                  <RangeRow {...address} />
                  <AddTag
                    key={chosen.join()}
                    chosen={chosen}
                    drawn={drawn}
                    onChange={(paths) => address.change({ tags: paths.join(',') })}
                  />
                </>
              }
            />
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

interface AddProps {
  chosen: readonly string[];
  drawn: readonly TagDefinition[];
  onChange: (paths: readonly string[]) => void;
}

function AddTag({ chosen, drawn, onChange }: AddProps) {
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
    <form className="row wrap" onSubmit={add}>
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
          <Button type="submit" className="square" aria-label={t('data.trend.add')} title={t('data.trend.add')}>
            <Icon name="plus" />
          </Button>
        </>
      )}
    </form>
  );
}

interface CourseProps extends ReturnType<typeof useAddress> {
  project: string;
  tags: readonly string[];
  /** In one row with the buttons of the chart. */
  controls: ReactNode;
}

function Course({ project, tags, controls, read, change }: CourseProps) {
  const { t } = useTranslation();
  const [ref, width] = useWidth();
  const chosen = chosenRange(read);
  const range = chosen.kind === 'own' ? chosen.range : LENGTHS[chosen.kind];
  const history = useHistory({ project, tags, range, pixels: width });
  return (
    <div ref={ref}>
      {!history.data && <div className="row wrap">{controls}</div>}
      <Loading of={history} />
      {history.isError && <LoadError error={history.error} title={t('data.trend.failed')} />}
      {history.data && (
        <Drawn
          history={history.data}
          controls={controls}
          onRange={(next) => change(rangeAddress(next))}
          onRemove={(path) => change({ tags: tags.filter((one) => one !== path).join(',') })}
        />
      )}
    </div>
  );
}

const HEIGHT = 340;

interface DrawnProps extends Pick<CourseProps, 'controls'> {
  history: History;
  onRange: (range: TimeRange) => void;
  onRemove: (path: string) => void;
}

function Drawn({ history, controls, onRange, onRemove }: DrawnProps) {
  const { t, i18n } = useTranslation();
  const { from, to, tags } = history;
  // Times after now have no value yet, whatever the range is.
  const series = useMemo(
    () => history.tags.map((one) => trendOf(one, { from: history.from, until: Math.min(history.to, history.readAt) })),
    [history],
  );
  const interval = tags[0]?.interval ?? null;
  const paths = tags.map(({ tag }) => tag).join(', ');
  return (
    <div className="stack tight">
      <TrendChart
        label={t('data.trend.label', { paths })}
        {...{ series, from, to, controls, onRange, onRemove }}
        height={HEIGHT}
      />
      <p className="t3 xs">
        {interval === null
          ? t('data.trend.raw')
          : t('data.trend.mean', { seconds: numberText(interval, i18n.language, 1) })}{' '}
        {t('data.trend.hint')}
      </p>
    </div>
  );
}
