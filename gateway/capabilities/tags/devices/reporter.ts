import { createLogger, type LogFields, type Logger, type LogLevel } from '#common/node/log.ts';
import { LINES_WAITING_MAX } from './limits.ts';
import type { Answer, LogLine, News, Report } from './messages.ts';
import { NewsQueue } from './news-queue.ts';

/**
 * Sends the reports of the thread to the gateway: all of one turn of the event loop together, and the next batch only
 * after that one was received. Limits: NewsQueue, LINES_WAITING_MAX; the number of responses is limited by the
 * requests.
 */
export class Reporter {
  readonly #send: (report: Report) => void;
  readonly #news = new NewsQueue();
  #answers: Answer[] = [];
  #answersAfterNews: Answer[] = [];
  #lines: LogLine[] = [];
  #linesLeftOut = 0;
  #underWay = false;
  #scheduled = false;

  constructor(send: (report: Report) => void) {
    this.#send = send;
  }

  /** Removes secrets and converts the fields to plain JSON, as the gateway's own log does. */
  readonly log: Logger = createLogger('devices', (line) => this.#line(line));

  tell(news: News): void {
    this.#news.add(news);
    this.#later();
  }

  answer(answer: Answer): void {
    this.#answers.push(answer);
    this.#later();
  }

  /** Sent after all pending reports, so that the acknowledged values can be read by then. */
  answerAfterNews(answer: Answer): void {
    this.#answersAfterNews.push(answer);
    this.#later();
  }

  forget(id: number): void {
    this.#news.forget(id);
  }

  /** The gateway has received the last batch. */
  taken(): void {
    this.#underWay = false;
    this.#later();
  }

  #line(text: string): void {
    if (this.#lines.length >= LINES_WAITING_MAX) {
      this.#linesLeftOut += 1;
      return;
    }
    const { time: _time, name: _name, level, message, ...fields } = JSON.parse(text) as LogFields;
    this.#lines.push({ level: level as LogLevel, message: String(message), fields });
    this.#later();
  }

  #later(): void {
    if (this.#scheduled || this.#underWay) return;
    const answers = this.#answers.length + this.#answersAfterNews.length;
    if (this.#news.size === 0 && answers === 0 && this.#lines.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = false;
    this.#underWay = true;
    const news = this.#news.take();
    if (this.#news.size === 0) this.#answers.push(...this.#answersAfterNews.splice(0));
    const report = { news, answers: this.#answers, lines: this.#lines };
    this.#answers = [];
    this.#lines = [];
    this.#send(report);
    if (this.#linesLeftOut === 0) return;
    const leftOut = this.#linesLeftOut;
    this.#linesLeftOut = 0;
    this.log.warn('the device drivers logged too much; lines were left out', { leftOut });
  }
}
