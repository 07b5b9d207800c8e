import { mount } from 'svelte';
import App from './App.svelte';
import { connect } from './connect';
import { watchUncaught } from './uncaught';
import { AppState } from '../state/app-state.svelte';
import { language } from '../words/language.svelte';
import '../kit/tokens.css';
import '../kit/base.css';

await language.begin();
const { backend, clock } = await connect();
const app = new AppState(backend, clock);
watchUncaught((error) => app.report(error));
const target = document.getElementById('app') as HTMLElement;
// The empty frame that the page itself drew until now.
target.replaceChildren();
/** Of the window that shows one phone alone. */
const id = new URLSearchParams(location.search).get('phone');
if (id === null) mount(App, { target, props: { app } });
else mount((await import('./PhoneWindow.svelte')).default, { target, props: { app, id } });
