// What the program's own list of questions would hold, made of a transcript.

import type { AskRecord, News } from '../protocol';

export function recordsOf(news: News[]): AskRecord[] {
  const records: AskRecord[] = [];
  for (const one of news) {
    if (one.news !== 'run') continue;
    const { event } = one;
    if (event.what === 'asked') records.push({ ask: event.ask });
    const record = records.find(({ ask }) => 'ask' in event && ask.id === event.ask);
    if (!record) continue;
    if (event.what === 'answered') {
      const { ask: _ask, what: _what, run: _run, phone: _phone, seq: _seq, ...end } = event;
      record.end = { ...end, reach: 'once' } as NonNullable<AskRecord['end']>;
    } else if (event.what === 'allowed' && record.end) record.end.reach = event.reach;
    else if (event.what === 'voided') record.voided = true;
    else if (event.what === 'extended') record.ask = { ...record.ask, deadline: event.deadline };
  }
  return records.sort((a, b) => b.ask.askedAt - a.ask.askedAt);
}
