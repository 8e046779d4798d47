import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { EgressView } from '#api/egress-queries.ts';
import { durationText, numberText } from '#ui/quantity.ts';
import { targetReplyMessages, type ReplyMessage } from './reply-messages.ts';

/** The first line of the page: waiting events in plain text, conditions that need a user in bold. */
export function Answer({ view }: { view: EgressView }) {
  return targetReplyMessages(view.targets, view.buffer).map((sentence) => (
    <Fragment key={sentence.text}>
      <Said sentence={sentence} />{' '}
    </Fragment>
  ));
}

function Said({ sentence }: { sentence: ReplyMessage }) {
  const text = useSentence(sentence);
  if (sentence.tone === 'plain') return text;
  return <b className={sentence.tone === 'alarm' ? 'alarm-text' : ''}>{text}</b>;
}

function useSentence(sentence: ReplyMessage): string {
  const { t, i18n } = useTranslation();
  switch (sentence.text) {
    case 'none':
    case 'calm':
      return t(`egress.sentence.${sentence.text}`);
    case 'waits':
    case 'waitsRefusing':
    case 'dead': {
      const { count } = sentence;
      return t(`egress.sentence.${sentence.text}`, { count, events: numberText(count, i18n.language) });
    }
    case 'trouble':
      return t('egress.sentence.trouble', { reason: sentence.reason });
    case 'full': {
      const time = durationText(sentence.seconds);
      if (sentence.target === '') return t('egress.sentence.fullAll', { time });
      return t('egress.sentence.full', { target: sentence.target, time });
    }
  }
}
