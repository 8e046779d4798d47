import { Button, TextInput } from '@mantine/core';
import { memo, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldTime } from '#ui/field-time.ts';
import { Icon } from '#ui/icon.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { RangeForm } from '#ui/range-form.tsx';
import { Segments } from '#ui/segments.tsx';
import { RANGES, type Range } from './journal-range.ts';
import { askedOf } from '#ui/search-text.ts';
import { SHOWN, type JournalAddress, type Shown } from './use-journal-address.ts';

type Change = JournalAddress['change'];

export const SearchRow = memo(function SearchRow({ address }: { address: JournalAddress }) {
  const { t } = useTranslation();
  const { find, show, range, change } = address;
  const shownNames = {
    all: t('journal.all'),
    outcome: t('journal.uses'),
    refusal: t('journal.refused'),
    live: t('journalPage.live.show'),
    written: t('journalPage.write.show'),
    admin: t('journal.acts'),
  };
  return (
    <search className="stack tight">
      <div className="row wrap">
        <SearchBox key={find} {...{ find, change }} />
        <NativeSelect
          label={t('journalPage.range')}
          value={range.name}
          options={RANGES.map((value) => ({ value, label: t(`journalPage.ranges.${value}`) }))}
          onChange={(name) => change({ range: name, from: '', to: '', wide: '' })}
        />
        <Segments
          label={t('journal.show')}
          value={show}
          onChange={(value: Shown) => change({ show: value === 'all' ? '' : value, type: '' })}
          options={SHOWN.map((value) => ({ value, label: shownNames[value] }))}
        />
      </div>
      {range.name === 'own' && <OwnRange key={`${range.from} ${range.to}`} range={range} change={change} />}
    </search>
  );
});

function SearchBox({ find, change }: { find: string; change: Change }) {
  const { t } = useTranslation();
  const [text, setText] = useState(find);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const asked = askedOf(text);
    if (asked.kind === 'nothing') return change({ find: '', why: '' });
    if (asked.kind === 'key') {
      setText('');
      return change({ find: '', keyId: asked.value, why: '' });
    }
    // A request ID identifies one call: its explanation opens with it.
    change({ find: asked.value, why: asked.kind === 'request' ? asked.value : '' });
  };
  return (
    <form className="row grow journal-search" onSubmit={submit}>
      <TextInput
        className="grow"
        aria-label={t('journal.search')}
        placeholder={t('journal.search')}
        title={t('journal.searchHelp')}
        leftSection={<Icon name="search" />}
        value={text}
        autoComplete="off"
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit">{t('journal.searchSubmit')}</Button>
      {find !== '' && (
        <Button variant="subtle" onClick={() => change({ find: '', why: '' })}>
          {t('journal.clear')}
        </Button>
      )}
    </form>
  );
}

function OwnRange({ range, change }: { range: Range; change: Change }) {
  const { t } = useTranslation();
  return (
    <RangeForm
      from={localTime(range.from)}
      to={localTime(range.to)}
      labels={{
        from: t('journalPage.from'),
        to: t('journalPage.to'),
        show: t('journalPage.showRange'),
        wrong: t('journalPage.wrongRange'),
      }}
      isRight={(from, to) => from === '' || to === '' || Date.parse(from) < Date.parse(to)}
      onShow={(from, to) => change({ from: instant(from), to: instant(to) })}
    />
  );
}

const localTime = (iso: string | undefined) => (iso === undefined ? '' : fieldTime(Date.parse(iso)));
const instant = (local: string) => (local === '' ? '' : new Date(local).toISOString());
