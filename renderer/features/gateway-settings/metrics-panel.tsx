import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { scrapeConfig } from '#common/model/scrape-config.ts';
import type { ShownSettings } from '#api/settings-queries.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Icon } from '#ui/icon.tsx';
import { makeToken } from './metrics-token.ts';
import { type Draft, shownText } from './setting-changes.ts';

/** Generates a token, shown until the page is left, and shows the configuration for Prometheus. */
export function MetricsPanel({
  settings,
  draft,
  onToken,
}: {
  settings: ShownSettings;
  draft: Draft;
  onToken: (token: string) => void;
}) {
  const { t } = useTranslation();
  const [made, setMade] = useState<string | null>(null);
  const make = () => {
    const token = makeToken();
    setMade(token);
    onToken(token);
  };
  // A token that was typed instead, or is to be removed, is not shown.
  const token = draft.metricsToken === undefined || draft.metricsToken === made ? made : null;
  const willBeOn = draft.metricsToken === undefined ? settings.metricsToken !== null : isToken(draft.metricsToken);
  return (
    <div className="whole stack tight metrics">
      <p className="row wrap">
        <Button leftSection={<Icon name="rotate" />} onClick={make}>
          {t('gatewayPage.metrics.make')}
        </Button>
      </p>
      {token !== null && (
        <p className="row wrap">
          <code className="break">{token}</code>
          <CopyButton text={token} label={t('gatewayPage.metrics.copyToken')} />
          <span className="t2">{t('gatewayPage.metrics.once')}</span>
        </p>
      )}
      {willBeOn && (
        <CodeBlock
          title={t('gatewayPage.metrics.config')}
          code={scrapeConfig({
            settings,
            metricsHost: shownText(settings, draft, 'metricsHost'),
            metricsPort: Number(shownText(settings, draft, 'metricsPort')) || null,
            uiHost: window.location.host,
            token,
          })}
        />
      )}
    </div>
  );
}

function isToken(typed: string | null): boolean {
  return typed !== null && typed.trim() !== '';
}
