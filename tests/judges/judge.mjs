// Obsidian's own parsers, asked over standard input: one JSON line {judge, items} a question, one
// JSON line {verdicts} an answer, a verdict an item. `node.py` is the other end.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const JUDGES = { versions, yaml, stringify, markdown, mathjax, moment, dailyName };
const PACKAGES = ['yaml', 'markdown-it', 'mathjax-full', 'moment'];
const loaded = new Map();

function once(name, make) {
  if (!loaded.has(name)) loaded.set(name, make());
  return loaded.get(name);
}

function versions() {
  return Object.fromEntries(PACKAGES.map((name) => [name, require(`${name}/package.json`).version]));
}

// As Obsidian writes properties: no folding (release notes 1.4.3), no anchors (1.9), nothing behind
// the colon of an empty property, everything else the library's own way.
const AS_OBSIDIAN = { lineWidth: 0, nullStr: '', aliasDuplicateObjects: false };

function yaml(source) {
  const { parseDocument, stringify: write } = once('yaml', () => require('yaml'));
  const document = parseDocument(source);
  const troubles = [...document.errors, ...document.warnings].map((trouble) => trouble.message);
  if (troubles.length) return { troubles };
  try {
    const value = document.toJS();
    return { troubles, value, again: write(value, AS_OBSIDIAN) };
  } catch (error) {
    return { troubles: [error.message] };
  }
}

function stringify(value) {
  return once('yaml', () => require('yaml')).stringify(value, AS_OBSIDIAN);
}

function markdown(source) {
  return once('markdown', markdownParser).parse(source, {}).map(told);
}

function told(token) {
  const { type, tag, content, children, markup } = token;
  const address = token.attrGet('href') ?? token.attrGet('src') ?? undefined;
  return {
    type,
    tag: tag || undefined,
    markup: markup || undefined,
    address,
    ...(children ? { children: children.map(told) } : { content: content || undefined }),
  };
}

// GFM (tables, strikethrough, addresses) with raw HTML on, so that it shows; formulas and wikilinks
// as Obsidian delimits them, for what stands in one is not Markdown.
function markdownParser() {
  const parser = require('markdown-it')({ html: true, linkify: true });
  parser.validateLink = () => true;
  parser.normalizeLinkText = (text) => text;
  parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  for (const scheme of ['obsidian:', 'javascript:', 'file:', 'data:', 'app:', 'vbscript:']) {
    parser.linkify.add(scheme, { validate: /^\S+/ });
  }
  parser.inline.ruler.before('escape', 'math', math);
  parser.inline.ruler.before('link', 'wikilink', wikilink);
  parser.inline.ruler.before('image', 'embed', wikilink);
  return parser;
}

function span(state, silent, type, content, end) {
  if (!silent) state.push(type, '', 0).content = content;
  state.pos = end;
  return true;
}

function math(state, silent) {
  const rest = state.src.slice(state.pos, state.posMax);
  const found =
    /^\$\$([^]+?)\$\$/.exec(rest) ?? /^\$(?=[^\s$])((?:\\[^]|[^\\$])*?)(?<=\S)\$(?!\d)/.exec(rest);
  return found ? span(state, silent, 'math', found[1], state.pos + found[0].length) : false;
}

function wikilink(state, silent) {
  const found = /^(!?)\[\[([^[\]\n]+)\]\]/.exec(state.src.slice(state.pos, state.posMax));
  if (!found) return false;
  const type = found[1] ? 'embed' : 'wikilink';
  return span(state, silent, type, found[2], state.pos + found[0].length);
}

// The TeX packages of MathJax's full bundle. Two are left out that only make errors look better, so
// that an error is one, and one that Obsidian does not switch on.
const LEFT_OUT = new Set(['noerrors', 'noundefined', 'bussproofs']);
const DEFINED = ['new-Command', 'new-Delimiter', 'new-Environment'];
const OF_DEGREE = 'MathML-Unit';
const ACTING = new Set(['href', 'style', 'class', 'id', 'src', 'mathcolor', 'mathbackground']);

function mathDocument() {
  const { mathjax: core } = require('mathjax-full/js/mathjax.js');
  const { TeX } = require('mathjax-full/js/input/tex.js');
  const { CHTML } = require('mathjax-full/js/output/chtml.js');
  const { liteAdaptor } = require('mathjax-full/js/adaptors/liteAdaptor.js');
  const { RegisterHTMLHandler } = require('mathjax-full/js/handlers/html.js');
  const { AllPackages } = require('mathjax-full/js/input/tex/AllPackages.js');
  const { STATE } = require('mathjax-full/js/core/MathItem.js');
  const adaptor = liteAdaptor();
  RegisterHTMLHandler(adaptor);
  const packages = AllPackages.filter((name) => !LEFT_OUT.has(name));
  const tex = new TeX({ packages });
  const page = core.document('', { InputJax: tex, OutputJax: new CHTML() });
  const definitions = () =>
    DEFINED.map((name) => tex.parseOptions.handlers.retrieve(name).map.size).join();
  return { page, adaptor, definitions, compiled: STATE.CONVERT };
}

function mathjax(formula) {
  const { page, adaptor, definitions, compiled } = once('mathjax', mathDocument);
  const before = definitions();
  const troubles = [];
  let shown = '';
  try {
    page.convert(formula, { display: false, end: compiled }).walkTree((node) => {
      if (node.isKind('merror')) troubles.push(node.attributes.get('data-mjx-error'));
      for (const name of node.attributes?.getExplicitNames() ?? []) {
        const value = node.attributes.get(name);
        if (ACTING.has(name) && value !== OF_DEGREE) troubles.push(`sets ${name} to ${value}`);
      }
    });
    shown = adaptor.outerHTML(page.convert(formula, { display: false }));
  } catch (crash) {
    troubles.push(`crashes: ${crash.message}`);
  }
  if (definitions() !== before) troubles.push('defines a command');
  return { troubles, shown };
}

function moment([text, format]) {
  const parsed = once('moment', () => require('moment'))(text, format, true);
  return parsed.isValid() ? { day: parsed.format('YYYY-MM-DD'), again: parsed.format(format) } : null;
}

// The name of a day's note in English, as the core plugin and Periodic Notes make it.
function dailyName([day, format]) {
  return once('moment', () => require('moment'))(day, 'YYYY-MM-DD', true).format(format);
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { judge, items } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ verdicts: items.map(JUDGES[judge]) })}\n`);
}
