import { Button, TextInput } from '@mantine/core';
import { memo, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldFault } from '#ui/field-error.tsx';
import { FIELD_ORDER } from '#ui/form-fields.tsx';
import { Icon } from '#ui/icon.tsx';
import { NativeSelect } from '#ui/native-select.tsx';
import { Segments } from '#ui/segments.tsx';
import { fieldTime, RANGES, type Range } from './journal-range.ts';
import { askedOf } from './search-text.ts';
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
    // A request ID is asked about one call: its explanation opens with it.
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
  const [from, setFrom] = useState(fieldTime(range.from));
  const [to, setTo] = useState(fieldTime(range.to));
  const [asked, setAsked] = useState(false);
  const wrong = from !== '' && to !== '' && Date.parse(from) >= Date.parse(to);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (!wrong) change({ from: instant(from), to: instant(to) });
  };
  return (
    <form className="row wrap top" onSubmit={submit} noValidate>
      <TextInput
        type="datetime-local"
        aria-label={t('journalPage.from')}
        inputWrapperOrder={FIELD_ORDER}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        error={asked && wrong && <FieldFault text={t('journalPage.wrongRange')} />}
      />
      <TextInput
        type="datetime-local"
        aria-label={t('journalPage.to')}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit">{t('journalPage.showRange')}</Button>
    </form>
  );
}

const instant = (local: string) => (local === '' ? '' : new Date(local).toISOString());
