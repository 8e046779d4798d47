import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { SetupTest } from '#common/model/setup-test.ts';
import { ErrorNote } from '#ui/error-note.tsx';
import { clockTime } from '#ui/format.ts';
import { Icon } from '#ui/icon.tsx';
import { Shape } from '#ui/shape.tsx';
import { findingText } from './finding-text.ts';
import { ReachPicture } from './reach-picture.tsx';

/** The results, one line each, with their time; and how callers connect. */
export function LiveTest({ test }: { test: UseQueryResult<SetupTest> }) {
  const { t } = useTranslation();
  const title = t('setupPage.test.title');
  // The results belong to previous values; the current ones cannot be tested.
  const isIdle = test.isPlaceholderData && !test.isFetching;
  const found = isIdle ? undefined : test.data;
  return (
    <section className="panel live-test" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="t2 xs">
          {test.isFetching ? t('setupPage.test.waiting') : found && clockTime(new Date(test.dataUpdatedAt))}
        </span>
        <Button
          variant="subtle"
          className="square"
          aria-label={t('setupPage.test.again')}
          title={t('setupPage.test.again')}
          disabled={isIdle}
          onClick={() => void test.refetch()}
        >
          <Icon name="rotate" />
        </Button>
      </header>
      {test.isError && <ErrorNote error={test.error} />}
      {isIdle && <p className="t2 body">{t('setupPage.test.idle')}</p>}
      {found && <Findings findings={found.findings} />}
      {found && <ReachPicture findings={found.findings} />}
    </section>
  );
}

function Findings({ findings }: SetupFindings) {
  const { t } = useTranslation();
  return (
    <ul className="list" aria-live="polite">
      {findings.map((finding) => {
        const { title, help, shape, result } = findingText(t, finding);
        return (
          <li key={finding.check}>
            <Shape name={shape} label={t(`setupPage.test.${result}`)} />
            <span className="two grow">
              <b>{title}</b>
              <small>{help}</small>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

type SetupFindings = Pick<SetupTest, 'findings'>;
