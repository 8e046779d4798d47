import { Button } from '@mantine/core';
import { memo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Facet, JournalSummary } from '#api/journal-summary.ts';
import { TextButton } from '#ui/text-button.tsx';
import { NO_FILTERS, type JournalAddress } from './use-journal-address.ts';

const FIRST_VALUES = 5;

type Name = 'keyId' | 'route' | 'address';

interface FacetsProps {
  summary: JournalSummary | undefined;
  address: JournalAddress;
}

/** Callers, addresses and routes with their numbers of calls: each value filters the list. */
export const Facets = memo(function Facets({ summary, address }: FacetsProps) {
  const { t } = useTranslation();
  const { keyId, route, address: from, outcome, find, thing, show, change } = address;
  const filtered = [keyId, route, from, outcome, find, thing].some((value) => value !== '') || show !== 'all';
  return (
    <section className="panel facets" aria-label={t('journalPage.facets.title')}>
      <header>
        <h2>{t('journalPage.facets.title')}</h2>
        {filtered && (
          <Button variant="subtle" onClick={() => change(NO_FILTERS)}>
            {t('journalPage.facets.clear')}
          </Button>
        )}
      </header>
      <div className="scroll facet-list">
        {thing !== '' && (
          <section>
            <h3>{t('journalPage.write.thing')}</h3>
            <p className="mono break">{thing}</p>
          </section>
        )}
        <Values name="keyId" facet={summary?.consumers} chosen={keyId} change={change} />
        <Values name="address" facet={summary?.addresses} chosen={from} change={change} />
        <Values name="route" facet={summary?.routes} chosen={route} change={change} />
      </div>
    </section>
  );
});

interface Props {
  name: Name;
  facet: Facet | undefined;
  chosen: string;
  change: JournalAddress['change'];
}

function Values({ name, facet, chosen, change }: Props) {
  const { t, i18n } = useTranslation();
  const [all, setAll] = useState(false);
  const values = facet?.values ?? [];
  const listed = values.filter(({ value }, index) => all || index < FIRST_VALUES || value === chosen);
  const isListed = listed.some(({ value }) => value === chosen);
  const shown = chosen === '' || isListed ? listed : [{ value: chosen, calls: 0 }, ...listed];
  const rest = (facet?.without ?? 0) + (facet?.others ?? 0);
  return (
    <section>
      <h3>{t(`journalPage.facets.${name}`)}</h3>
      {facet !== undefined && shown.length === 0 && <p className="t3">{t('journalPage.facets.none')}</p>}
      <ul>
        {shown.map((one) => (
          <li key={one.value}>
            <button
              type="button"
              className="facet-value"
              aria-pressed={one.value === chosen}
              title={name === 'keyId' ? `slc_${one.value}` : one.value}
              onClick={() => change({ [name]: one.value === chosen ? '' : one.value })}
            >
              <span className={name === 'keyId' ? 'cut grow' : 'cut grow mono'}>{nameOf(one)}</span>
              <b>{one.calls.toLocaleString(i18n.language)}</b>
            </button>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="t3">{t(`journalPage.facets.rest.${name}`, { calls: rest.toLocaleString(i18n.language) })}</p>
      )}
      {!all && values.length > FIRST_VALUES && (
        <TextButton onClick={() => setAll(true)}>
          {t('journalPage.facets.more', { count: values.length - FIRST_VALUES })}
        </TextButton>
      )}
    </section>
  );
}

const nameOf = ({ value, name }: { value: string; name?: string }) => name ?? value;
