// How far each part is from its picture, and which of its styles are not the token they should be.
// Arguments: the scene, the tokens, the types, the theme.
const [scene, tokens, types, theme] = arguments;
const shifted = !navigator.userAgent.includes('Mac');
const rgb = (hex) => `rgb(${[1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;
const near = (a, b) => Math.abs(parseFloat(a) - parseFloat(b)) < 0.6;
return scene.parts.map((part) => {
  const element = document.querySelector(part.selector);
  if (!element) return { selector: part.selector, missing: true };
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const off = {};
  const wrong = [];
  const shift = shifted && part.shift ? part.shift : [0, 0];
  ['left', 'top', 'width', 'height'].forEach((edge, at) => {
    const wanted = part.box?.[at];
    if (wanted === null || wanted === undefined) return;
    off[edge] = Math.round((box[edge] - (wanted + (at < 2 ? shift[at] : 0))) * 10) / 10;
  });
  for (const [property, token] of Object.entries(part.colors ?? {})) {
    const wanted = rgb(tokens[token][theme]);
    const is = style.getPropertyValue(property);
    if (is !== wanted) wrong.push(`${property} is ${is}, ${token} is ${wanted}`);
  }
  if (part.radius !== undefined && !near(style.borderTopLeftRadius, part.radius)) {
    wrong.push(`the radius is ${style.borderTopLeftRadius}, not ${part.radius}`);
  }
  const type = part.type && types[part.type];
  if (type) {
    for (const property of ['font-size', 'line-height', 'font-weight']) {
      const is = style.getPropertyValue(property);
      if (!near(is, type[property])) wrong.push(`${property} is ${is}, ${part.type} is ${type[property]}`);
    }
    const em = type['letter-spacing-em'];
    if (em !== null && em !== undefined) {
      const is = parseFloat(style.letterSpacing) / parseFloat(style.fontSize);
      if (Math.abs((Number.isNaN(is) ? 0 : is) - em) > 0.002) wrong.push(`letter-spacing is ${is} em, not ${em}`);
    }
  }
  return { selector: part.selector, off, wrong };
});
