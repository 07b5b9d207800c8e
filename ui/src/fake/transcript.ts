// A recorded transcript: a line of news each.

import type { News } from '../protocol';

export const readTranscript = (text: string): News[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as News);

export const lastMoment = (news: News[]): number =>
  news.reduce((last, one) => (one.news === 'run' ? Math.max(last, one.event.at) : last), 0) ||
  Date.UTC(2024, 4, 14, 9, 41);
