declare module '*.json?later' {
  const words: object;
  export default words;
}

declare module '*.json?all' {
  const words: object;
  export default words;
}
