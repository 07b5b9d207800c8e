import { mount } from 'svelte';
import App from './App.svelte';
import { connect } from './connect';
import { AppState } from '../state/app-state.svelte';
import { language } from '../words/language.svelte';
import '../kit/tokens.css';
import '../kit/base.css';

await language.begin();
const { backend, clock } = await connect();
mount(App, { target: document.getElementById('app') as HTMLElement, props: { app: new AppState(backend, clock) } });
