declare module '*.json?later' {
  const words: object;
  export default words;
}

declare module '*.json?task' {
  const words: object;
  export default words;
}

declare module '*.json?history' {
  const words: object;
  export default words;
}

declare module '*.json?check' {
  const words: object;
  export default words;
}

declare module '*.json?change' {
  const words: object;
  export default words;
}

declare module '*.json?automations' {
  const words: object;
  export default words;
}

declare module '*.json?all' {
  const words: object;
  export default words;
}

/** The version of this build, from the workspace's manifest. */
declare const __VERSION__: string;
