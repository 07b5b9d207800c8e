// Two pictures of four colours each, to see whether this window decodes: 128 × 128, High profile, the second made of
// changes to the first. From raw RGB: `ffmpeg -i … -c:v libx264 -profile:v high -tune zerolatency -threads 1 -qp 22`,
// without what x264 says of itself.

/** A record as in an `avcC` box, base64. */
export const AVCC = 'AWQAC//hABpnZAALrLQQI01AQEBQAAADABAAAAMDyPFCqgEABmjvBMsiwP34+AA=';

/** The key frame and the change, each a NAL unit behind its length, base64. */
export const UNITS: readonly string[] = [
  'AAAAdmWIhD/+nrvgUudJQahwKHWACZlsg0TsvRZ7n2CtQFojLTuoEx3GJBEJJA+BBOqH64LmmpahldZYL9QqaA9jCqky3hqWqQ+4I844mCPF' +
    'egzphZNT65qqAZGnFVAjkERcMfC4TEk1/A8hCf93nn6qbbjI7MZYNGM=',
  'AAAAdkGaIc8D8H4FIgHwKP/S+H///IqUDtmFALhc0N7MTmIs9HjwPKkQEYLgsI7aWbHBz8PKyFuYeVjL9z0yZFyNHiR43FdMSQu7InUKZ/Ub' +
    '6rjkEnfQa+t+5T4YDe4gSNmvM07pZJptonrTqMtZslaUDIVGmq/LPKo=',
];

/** Pixels of a side. */
export const SIDE = 128;

type Colour = readonly [red: number, green: number, blue: number];

const RED: Colour = [235, 20, 20];
const GREEN: Colour = [20, 200, 40];
const BLUE: Colour = [30, 40, 230];
const WHITE: Colour = [245, 245, 245];
const BLACK: Colour = [10, 10, 10];
const YELLOW: Colour = [240, 220, 20];

/** What stands in the quarters of each picture: above from left to right, then below. */
export const QUARTERS: readonly (readonly Colour[])[] = [
  [RED, GREEN, BLUE, WHITE],
  [RED, YELLOW, BLACK, GREEN],
];
