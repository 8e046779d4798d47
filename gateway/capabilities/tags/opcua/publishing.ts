import type { PublishResponse } from 'node-opcua-client';
import type { Link } from './link.ts';
import { ACKNOWLEDGEMENTS_MAX, PUBLISHES_IN_FLIGHT_MAX } from './limits.ts';
import { reasonOf, statusName } from './reason.ts';

/**
 * Keeps publish requests waiting at the server, which answers each with notifications of its subscriptions.
 *
 * A missing message (a gap in a subscription's numbers) ends the link: its value would be missing forever, and the old
 * one would look good. The new session begins with fresh values of everything.
 *
 * Limits: PUBLISHES_IN_FLIGHT_MAX, fewer if the server says that it keeps fewer; ACKNOWLEDGEMENTS_MAX.
 */
export interface Publishing {
  /** `silenceMs`: how long the subscriptions may send nothing according to their keep-alives. */
  keep(subscriptions: number, silenceMs: number): void;
}

const SEQUENCE_MAX = 0xffffffff;

export function createPublishing(link: Link, onMessage: (response: PublishResponse) => void): Publishing {
  const { opcua, session } = link;
  const expected = new Map<number, number>();
  let acknowledgements: { subscriptionId: number; sequenceNumber: number }[] = [];
  let wanted = 0;
  let timeoutHint = 0;
  let inFlight = 0;
  let inFlightMax = PUBLISHES_IN_FLIGHT_MAX;

  const fill = () => {
    while (!link.ended.aborted && inFlight < Math.min(wanted, inFlightMax)) publish();
  };
  const publish = () => {
    const request = new opcua.PublishRequest({
      requestHeader: { timeoutHint },
      subscriptionAcknowledgements: acknowledgements,
    });
    acknowledgements = [];
    inFlight++;
    session.publish(request, (error, response) => {
      inFlight--;
      if (link.ended.aborted) return;
      try {
        if (error) onError(error);
        else if (response !== undefined) take(response);
      } catch (thrown) {
        // The library swallows errors of callbacks, and the tags would silently stop updating.
        link.fail(reasonOf(thrown, link.peer));
      }
      fill();
    });
  };
  const onError = (error: Error) => {
    if (statusName(error) !== 'BadTooManyPublishRequests' || inFlight === 0)
      return link.fail(reasonOf(error, link.peer));
    inFlightMax = inFlight;
  };
  const take = (response: PublishResponse) => {
    const { subscriptionId, notificationMessage } = response;
    const { sequenceNumber } = notificationMessage;
    const isKeepAlive = (notificationMessage.notificationData ?? []).length === 0;
    const next = expected.get(subscriptionId);
    if (next !== undefined && next !== sequenceNumber)
      return link.fail(`${link.peer} lost a message of a subscription`);
    if (isKeepAlive) return;
    expected.set(subscriptionId, sequenceNumber === SEQUENCE_MAX ? 1 : sequenceNumber + 1);
    acknowledgements.push({ subscriptionId, sequenceNumber });
    acknowledgements.splice(0, acknowledgements.length - ACKNOWLEDGEMENTS_MAX);
    onMessage(response);
  };
  return {
    keep(subscriptions, silenceMs) {
      wanted = subscriptions === 0 ? 0 : subscriptions + 1;
      timeoutHint = Math.max(timeoutHint, silenceMs);
      fill();
    },
  };
}
