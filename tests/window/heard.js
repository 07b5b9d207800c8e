// What the page plays passes here: how much, of what tone, how far ahead of the context's clock, and what comes out at its end.
window.heard = { frames: 0, crossings: 0, ahead: 0, context: null, ear: null };
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (when) {
  const { heard } = window;
  const { context } = this;
  if (heard.context !== context) Object.assign(heard, { context, ear: new AnalyserNode(context), frames: 0, crossings: 0, ahead: 0 });
  this.connect(heard.ear);
  const samples = this.buffer.getChannelData(0);
  for (let at = 1; at < samples.length; at += 1) if (samples[at - 1] < 0 !== samples[at] < 0) heard.crossings += 1;
  heard.frames += samples.length;
  heard.ahead = Math.max(heard.ahead, when - context.currentTime);
  return start.call(this, when);
};
window.listen = () => {
  const { context, ear, frames, crossings, ahead } = window.heard;
  if (!context) return null;
  const wave = new Float32Array(ear.fftSize);
  ear.getFloatTimeDomainData(wave);
  const { state, currentTime, sampleRate } = context;
  return { state, currentTime, sampleRate, frames, crossings, ahead, loudest: Math.max(...wave.map(Math.abs)) };
};
