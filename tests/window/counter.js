// Reads the phone's clock from each picture a mirror draws, where it is drawn. The counter: eight cells across and four
// down in the middle of the screen, each a twelfth of its shorter side; three rows a number, the fourth its check. Reading
// takes the window time that it does not take in life: while what is drawn is only counted and while clicks are timed, it rests.
if (!window.counterRead) {
  const drawn = (window.counterRead = []);
  const clicks = (window.clickTimes = []);
  const draw = CanvasRenderingContext2D.prototype.drawImage;
  const wall = () => performance.timeOrigin + performance.now();
  // When each unit was given to a decoder, by the time it bears. Of several decoders the newest is meant: near enough.
  const given = new Map();
  const { decode } = VideoDecoder.prototype;
  VideoDecoder.prototype.decode = function (unit) {
    given.set(unit.timestamp, wall());
    decode.call(this, unit);
  };
  const numbers = new WeakMap();
  let canvases = 0;
  const read = (pen, width, height) => {
    const side = Math.min(width, height) / 12;
    const left = (width - side * 8) / 2;
    const top = (height - side * 4) / 2;
    const rows = [];
    for (let row = 0; row < 4; row += 1) {
      const line = pen.getImageData(0, Math.round(top + side * (row + 0.5)), width, 1).data;
      let byte = 0;
      for (let cell = 0; cell < 8; cell += 1) {
        const light = line[Math.round(left + side * (cell + 0.5)) * 4 + 1];
        if (light >= 96 && light < 160) return null;
        byte = byte * 2 + (light >= 128 ? 1 : 0);
      }
      rows.push(byte);
    }
    const [high, middle, low, check] = rows;
    return ((165 + 3 * low + 5 * middle + 7 * high) & 255) === check ? (high << 16) | (middle << 8) | low : null;
  };
  CanvasRenderingContext2D.prototype.drawImage = function (...all) {
    draw.apply(this, all);
    const { canvas } = this;
    if (!canvas.isConnected || canvas.width === 0) return;
    window.counterDrawn = (window.counterDrawn ?? 0) + 1;
    if (window.counterRests) return;
    if (!numbers.has(canvas)) numbers.set(canvas, (canvases += 1));
    drawn.push([numbers.get(canvas), wall(), read(this, canvas.width, canvas.height), given.get(all[0].timestamp)]);
  };
  document.addEventListener(
    'click',
    (event) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => clicks.push(performance.now() - event.timeStamp);
        port2.postMessage(0);
      });
    },
    true,
  );
}
