import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { FieldFault } from './field-error.tsx';
import { FIELD_ORDER } from './form-fields.tsx';

interface Props {
  /** Initial values of the fields: local time in minutes, or empty. */
  from: string;
  to: string;
  labels: { from: string; to: string; show: string; wrong: string };
  isRight: (from: string, to: string) => boolean;
  onShow: (from: string, to: string) => void;
}

/** Selects a range with fixed ends. */
export function RangeForm({ labels, isRight, onShow, ...given }: Props) {
  const [from, setFrom] = useState(given.from);
  const [to, setTo] = useState(given.to);
  const [asked, setAsked] = useState(false);
  const right = isRight(from, to);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(true);
    if (right) onShow(from, to);
  };
  return (
    <form className="row wrap top" onSubmit={submit} noValidate>
      <TextInput
        type="datetime-local"
        aria-label={labels.from}
        inputWrapperOrder={FIELD_ORDER}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
        error={asked && !right && <FieldFault text={labels.wrong} />}
      />
      <TextInput
        type="datetime-local"
        aria-label={labels.to}
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <Button type="submit">{labels.show}</Button>
    </form>
  );
}
