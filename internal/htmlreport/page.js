"use strict";
(() => {
	const root = document.documentElement;
	root.classList.add("scripted");

	// A page that is opened from a file may have no storage.
	const remember = (value) => { try { localStorage.setItem("ctrllint-theme", value); } catch { /* not remembered */ } };
	const remembered = () => { try { return localStorage.getItem("ctrllint-theme"); } catch { return null; } };

	const prefersDark = matchMedia("(prefers-color-scheme: dark)");
	const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches;
	const chosen = remembered();
	if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;

	const start = () => {
		const button = document.getElementById("theme");
		const name = () => {
			button.textContent = isDark() ? "light" : "dark";
			button.setAttribute("aria-label", "show in " + button.textContent + " colours");
			button.setAttribute("aria-pressed", String(isDark()));
		};
		button.addEventListener("click", () => {
			root.dataset.theme = isDark() ? "light" : "dark";
			remember(root.dataset.theme);
			name();
		});
		prefersDark.addEventListener("change", name);
		name();

		const form = document.getElementById("filters");
		if (!form) return;
		const query = document.getElementById("query");
		const shown = document.getElementById("shown");
		const nothing = document.getElementById("nothing");
		const chosenOf = (id) => { const field = document.getElementById(id); return field ? field.value : ""; };
		const findings = Array.from(document.querySelectorAll("article.finding"), (at) => ({ at, data: at.dataset, text: "" }));

		const apply = () => {
			const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
			const rule = chosenOf("rule");
			const same = ["severity", "confidence", "package"].map((key) => [key, chosenOf(key)]).filter(([, value]) => value);
			let n = 0;
			for (const f of findings) {
				if (words.length && !f.text) f.text = (f.at.textContent + " " + f.data.package).toLowerCase();
				const fits = (!rule || f.data.category === rule || f.data.category.startsWith(rule + "/")) &&
					same.every(([key, value]) => f.data[key] === value) &&
					words.every((word) => f.text.includes(word));
				f.at.hidden = !fits;
				if (fits) n++;
			}
			for (const section of document.querySelectorAll("section.package, section.rule")) {
				const left = section.querySelectorAll("article.finding:not([hidden])").length;
				section.hidden = left === 0;
				section.querySelector(".number").textContent = String(left);
			}
			shown.textContent = n === findings.length ? n + " shown" : n + " of " + findings.length + " shown";
			nothing.hidden = n > 0;
		};
		let waiting = 0;
		query.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
		form.addEventListener("change", apply);
		form.addEventListener("reset", () => setTimeout(apply));
		form.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
		document.addEventListener("keydown", (event) => {
			const typing = event.target.closest("input, select, textarea");
			if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
				event.preventDefault();
				query.focus();
			} else if (event.key === "Escape" && typing === query) {
				query.value = "";
				apply();
			}
		});
		// What a link leads to is not to lie behind the filters, where they stay in sight.
		const clear = () => {
			root.style.scrollPaddingTop = getComputedStyle(form).position === "sticky" ? form.offsetHeight + 12 + "px" : "";
		};
		addEventListener("resize", clear);
		clear();
		apply(); // A browser may have kept what was chosen before.
	};
	if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
	else start();
})();
