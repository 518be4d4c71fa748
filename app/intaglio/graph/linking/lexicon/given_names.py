"""Given names of people, by which a capitalised word is taken for a person."""

from typing import Final

_NAMES: Final = """
Łukasz Ben Zoë Ole Ray Ralf Tess Kay Mo Bo Cy Owen Beatrix Dani Gus Zack Zach Mira Theodora Nolan
Declan Callum Finn Rowan Esme Poppy Freya Imogen Harriet Georgina Nigella Alfie Archie Freddie
Ollie Toby Barney Gemma Kirsty Fiona Iain Hamish Ewan Rhys Dylan Carys Cerys Sian Gareth Ainsley
Brooke Bryce Chad Clint Corey Dustin Garrett Jared Jeremiah Keegan Kendra Krista Landon Lindsey
Logan Mallory Melinda Nadine Paulette Preston Randall Rodney Roxie Savannah Shawn Sheila Tanner
Trent Tricia Troy Vince Whitney Aarav Abhishek Akash Aman Ananya Arvind Ashwin Bhaskar Chetan
Dhruv Esha Gayatri Harish Ishaan Jyoti Kabir Karthik Madhav Manoj Meena Mohan Naveen Nidhi Pallavi
Pradeep Preeti Radha Ritu Rohit Sachin Sagar Shalini Shilpa Sneha Srinivas Swati Tanvi Uday
Vaibhav Vidya Vikas Yash Haruto Itsuki Kaede Mio Rin Sho Shota Takumi Tatsuya Yamato Jisoo Minjun
Seojun Jiwoo Hyun Soojin Thanh Nguyet Quang Tuan Huong Farhan Bilal Hamid Idris Jamal Karima Layla
Nabil Rania Reza Saeed Shirin Soraya Tarek Walid Yousef Zainab Zahra Oleksandr Taras Bohdan Mykola
Iryna Natalya Svitlana Ruslan Timur Daniil Arseniy Vlad Gleb Polina Darya Zuzanna Kinga Agata
Bartosz Grzegorz Mateusz Szymon Tadeusz Weronika Eszter Ildikó Réka Zsolt Attila László Ondřej
Jiří Petr Radek Zdeněk Lenka Veronika Milada Goran Dragan Zoran Jovana Milica Ivo Mirjana Vesna
Bojan Nenad Radu Ioana Cosmin Florin Adina Mircea Stavros Yannis Kostas Eirini Despina Sakari Aino
Eero Juhani Pekka Timo Anneli Ingeborg Solveig Torbjørn Espen Geir Håkon Øyvind Astri Signe Mette
Rasmus Kasper Freja Asger Bram Daan Femke Joris Maarten Marijke Niek Pieter Sander Sjoerd Wouter
Guadalupe Itziar Leire Maite Nerea Begoña Inmaculada Consuelo Remedios Ximo Xavi Oriol Mireia Laia
Meritxell Thiago Vinícius Gustavo Felipe Rafaela Letícia Larissa Caio Heitor Karol Hao Hana Jin
Ming Ying Xin Yuan Rui Tian Zhen Hugo Zoltan Szilvia Gábor Istvan Ferenc Balázs Kemal Deniz Emre
Burak Selin Ayşe Mert Lena Mel Sofía Raquel Pilar Rocío Nuria Iker Aitor Unai Gorka Xabi Montse
Álvaro Íñigo Joaquín Martín Marie-Claire Jean-Luc Anne-Marie Maëlle Loïc Gaël Yohan Margaux Océane
Aurélie Aurélien Solène Thibaut Kofi Kwame Ama Chidi Ngozi Adaeze Tunde Zanele Thabo Sipho Lerato
Wanjiru Otieno Oluwaseun Femi Yetunde Aaron Abdul Abdullah Abigail Adam Adele Aditya Adrian
Adriana Agnes Agnieszka Ahmed Aiden Aiko Aisha Ajay Akira Alan Albert Alberto Aleksandr Alejandra
Alejandro Alessandra Alessandro Alex Alexander Alexandra Alexei Alexis Alfonso Alfred Ali Alice
Alicia Alina Alisha Allison Alma Alvaro Alvin Amanda Amara Amber Amelia Amina Amir Amit Amy Ana
Anaïs Anastasia Anders Andre Andrea Andreas Andreea Andrei Andrej Andres Andrés Andrew Andrzej
Andy Angela Angelika Angus Anil Anish Anita Anja Anjali Ann Anna Anne Anneke Annika Anthony Antje
Antoine Anton Antonia Antonio Anya Aoife Arash Arjun Armin Arnaud Arthur Arturo Arun Asha Ashley
Ashok Astrid Audrey Axel Ayesha Ayumi Aziz Barbara Bart Bastian Beatrice Beatriz Benedikt Benjamin
Bernard Bernd Beth Bhavna Bianca Birgit Bjorn Björn Bogdan Boris Brandon Brenda Brian Bridget
Brigitte Bruce Bryan Caleb Camila Camille Candice Carina Carl Carla Carlos Carmen Carol Carolina
Caroline Cassandra Catarina Catherine Cecilia Cédric Celine Céline Chandra Charles Charlie
Charlotte Chen Chiara Chloe Chloé Chris Christa Christian Christiane Christina Christine Christoph
Christopher Claire Clara Claudia Clemens Clément Colin Connor Conor Constanze Cora Corinna Craig
Cristian Cristina Cynthia Dagmar Daisuke Damian Damien Dan Dana Daniel Daniela Daniele Danielle
Danny Daria Darius Dave David Davide Dawid Deborah Deepa Deepak Delphine Denis Denise Dennis Derek
Detlef Devika Diana Diego Dieter Dimitri Dimitrios Dinesh Diogo Dirk Divya Dmitri Dmitry Dominic
Dominik Dominique Donald Donna Doris Dorothea Douglas Duncan Ebony Eduard Eduardo Edward Edwin
Eileen Ekaterina Elaine Elena Eleni Eli Elias Elif Elijah Elin Elisa Elisabeth Élise Elizabeth
Ella Ellen Elliot Élodie Elodie Elsa Emil Emilia Emilie Emily Emine Emma Emmanuel Enrico Enrique
Eric Erica Erik Erika Erin Ernst Esra Esteban Esther Ethan Eugene Eva Evan Evelyn Ewa Fabian
Fabien Fabio Farah Farid Fatih Fatima Fatma Federica Federico Felicia Felix Fernanda Fernando
Flavia Flora Florence Florian Francesca Francesco Francis Francisco François Françoise Frank Franz
Fred Frederic Frédéric Frederik Frida Friedrich Fritz Gabriel Gabriela Gabriele Gabrielle Gaurav
Gavin Geoff Georg George Georgia Gerald Gerhard Gert Gianluca Gilles Gina Giorgio Giovanni Gisela
Giulia Giuseppe Gonzalo Gopal Gordon Graham Greg Gregor Grégoire Greta Guillaume Guillermo Gunnar
Günter Gustav Guy Gwen Hamza Hanna Hannah Hannes Hans Harald Haruki Hassan Heather Hector Heidi
Heiko Heinrich Heinz Helen Helena Helga Helmut Hendrik Henri Henrik Henry Herbert Hermann Hilary
Hina Hiroshi Holger Howard Hugh Hussein Ian Ibrahim Ida Ignacio Igor Ilse Imran Ines Inga Inge
Ingo Ingrid Irene Irina Isaac Isabel Isabella Isabelle Ivan Ivana Jacek Jack Jacob Jacqueline
Jacques Jaime Jakob Jakub James Jamie Jan Jana Jane Janek Janet Janina Jannik Jari Jason Javier
Jay Jean Jeanette Jeff Jeffrey Jelena Jenna Jennifer Jenny Jens Jeremy Jérôme Jerome Jess Jesse
Jessica Jesús Jill Jim Jimmy Jing Jiro Joachim Joan Joana Joanna Joao João Joaquin Jochen Joe Joel
Joelle Johan Johann Johanna Johannes John Johnny Jon Jonas Jonathan Joost Jordan Jordi Jorge Jörg
José Jose Josef Josefine Joseph Josephine Josh Joshua Josie Juan Juana Judith Jules Julian Juliana
Julianne Julie Julien Juliette Julio Julius Jun Junko Jürgen Justin Justyna Jutta Kaito Karen
Karim Karin Karina Karl Karla Karolina Kasia Kate Katarina Katarzyna Kateryna Katharina Katherine
Kathleen Kathrin Kathryn Katie Katja Katrin Kavita Kavya Kazuki Keiko Keith Kelly Ken Kenji
Kenneth Kenta Kerstin Kevin Khadija Khalid Kim Kiran Kirsten Kjell Klara Klaus Knut Konrad
Konstantin Kristen Kristin Kristina Krzysztof Kumar Kurt Kyle Lakshmi Lara Lars Laura Lauren
Laurent Lea Léa Leah Lee Leila Lennart Leo Leon Léon Leona Leonard Leonardo Leonie Leonor Leopold
Leticia Lewis Liam Lidia Lieke Lila Lilian Lily Lin Linda Lindsay Ling Linh Linus Lisa Liu Livia
Liz Lorena Lorenz Lorenzo Lotte Lou Louis Louisa Louise Luc Luca Lucas Lucia Lucía Luciana Lucie
Lucy Ludwig Luis Luisa Lukas Luke Luna Lutz Lydia Lynn Maciej Madeleine Magda Magdalena Magnus
Mahmoud Mai Maja Malcolm Malik Małgorzata Malte Mandy Manfred Manish Manon Manuel Manuela Mara
Marc Marcel Marcela Marcelo Marcin Marcia Marco Marcos Marcus Marek Maren Margaret Margarita
Margot Maria María Mariam Mariana Marianne Marie Marija Marina Mario Marion Marisol Marius Marko
Markus Marlene Marta Martha Martin Martina Mary Maryam Masha Massimo Mateo Mateus Mathias Mathieu
Mathilde Matias Matt Matteo Matthew Matthias Matthieu Maurice Mauro Max Maxim Maxime Maximilian
Maya Meera Megan Megumi Mehmet Mei Melanie Melissa Mercedes Merle Mia Micah Michael Michaela
Michał Michal Michel Michele Michelle Miguel Mihai Mika Mikael Mike Mikhail Mila Milan Milena Milo
Min Minh Miranda Miriam Mirko Misaki Mitch Mohamed Mohammad Mohammed Moira Mona Monica Monika
Monique Moritz Morten Muhammad Mustafa Myriam Nadia Naoki Naomi Natalia Natalie Natasha Nathalie
Nathan Nathaniel Navid Neal Neha Neil Nele Nelson Nia Nicholas Nick Nicola Nicolas Nicole Niels
Nigel Nikhil Niklas Niko Nikola Nikolai Nikolaus Nils Nina Nisha Nitin Noah Noel Noemi Noor Nora
Norbert Norman Nuno Oksana Olaf Oleg Olena Olga Oliver Olivia Olivier Omar Orla Oscar Oskar Osman
Otto Pablo Padma Paige Pamela Paola Paolo Pascale Patrice Patricia Patrick Patryk Paul Paula
Paulina Pauline Paulo Pavel Pawel Paweł Pedro Penelope Per Pete Peter Petra Philip Philipp
Philippe Phoebe Pia Pierre Piotr Pooja Prakash Pranav Prashant Priya Priyanka Quentin Rachel
Rafael Rahel Rahul Raj Rajesh Ralph Ramesh Ramon Ramona Raphael Rashid Raul Ravi Rebecca Regina
Rémi Renata Renate René Rene Ricardo Richard Rick Riccardo Riku Rishi Rita Rob Robert Roberta
Roberto Robin Rodrigo Roger Rohan Roland Rolf Roman Ron Ronald Ronja Rory Rosa Ross Roxana Roxanne
Ruben Rubén Rudolf Rupert Russell Ruth Ryan Sabine Sabrina Sadia Sahil Said Sakura Sally Salma
Salvatore Sam Samantha Sami Samir Samira Samuel Sandeep Sandra Sandrine Sanjay Santiago Sara Sarah
Saskia Satoshi Scott Sean Seán Sebastian Sébastien Selma Serena Serge Sergei Sergey Sergio Shane
Shannon Sharon Shaun Shreya Shruti Sibylle Sigrid Silke Silvia Simon Simone Sina Sinead Siobhan
Sofia Sofie Søren Soren Sonia Sonja Sophia Sophie Sota Stacy Stefan Stefania Stefanie Steffen
Stella Stephan Stephanie Stephen Steve Steven Stuart Sunil Suresh Susan Susana Susanne Suzanne
Sven Svenja Svetlana Sylvia Sylvie Tabea Takashi Takeshi Tamara Tanja Tanya Tara Tariq Tatiana Ted
Teresa Theo Theodor Theresa Thérèse Thibault Thierry Thomas Thorsten Tiago Tim Timothy Tina Tobias
Todd Tom Tomas Tomás Tomasz Tommy Toni Tony Torben Torsten Tracy Trevor Tristan Tyler Uli Ulrich
Ulrike Umar Ursula Ute Uwe Vadim Valentin Valentina Valeria Valerie Vanessa Varun Vasily Vera
Verena Veronica Véronique Vicky Victor Victoria Vijay Viktor Viktoria Vikram Vincent Vinod Violeta
Virginie Vivek Vivian Vladimir Volker Walter Wanda Wei Wendy Werner Wesley Wiebke Wilhelm Will
William Wim Wojciech Wolfgang Xavier Ximena Yann Yannick Yara Yasmin Yasmine Yuki Yuko Yulia Yuri
Yusuf Yuto Yves Yvonne Zara Zeynep Zoe Zoé Zofia Zsófia Yan Ada Grace Mark Rose Jenkins Mercury
Dawn Hope Joy Faith Iris Ivy Drew Chip Rich Art Gene Dean Chase Grant Frankie Sky Summer April
June August Ruby Jade Crystal Jasmine Olive Dashiell Bill Bob Sue Pat Miles Reed Cliff Clay Dale
Glen Hunter Mason Parker Carter Cooper Taylor Morgan Casey Riley Quinn Blake Cameron Avery Skyler
Julia Tomek Kjersti Tasha Tomoko Yumi Hideo Naoko Ryo Haruka
"""

_ORDINARY: Final = """
will mark rose dawn hope joy faith iris ivy drew chip rich art gene dean chase grant sky summer
april june august ruby jade crystal jasmine olive bill rob sue pat miles reed cliff clay dale glen
hunter mason parker carter cooper taylor per min said bob jan max mercury jenkins ada guy sonar
milan florence roman regina alma luna robin sandy penny amber georgia sydney may charlotte
victoria jordan austin alexis rene rosa nelson norman paige
"""

GIVEN_NAMES: Final = frozenset(name.lower() for name in _NAMES.split())
"""Given names in lower case."""

ORDINARY_GIVEN_NAMES: Final = frozenset(_ORDINARY.split())
"""Given names that are other words, too: only the context makes them people."""
